// Reads {css, words} from stdin, writes the sheet without the rules that need any other word.
import { readFileSync } from "node:fs";
import { minify } from "./browser/node_modules/csso/dist/csso.esm.js";

const { css, words } = JSON.parse(readFileSync(0, "utf8"));
const tags = [...words, ...words.map((word) => word.toLowerCase())];
const usage = { classes: words, ids: words, tags };
// The order of rules decides among them, so that none is moved.
process.stdout.write(minify(css, { restructure: false, usage }).css);
