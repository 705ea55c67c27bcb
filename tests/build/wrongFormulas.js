// Write those of some formulas that KaTeX cannot typeset.

import { readFileSync } from "node:fs";

const address = new URL("../../web/node_modules/katex/dist/katex.min.js", import.meta.url);
const { default: katex } = await import(address.href);

const isWrong = (/** @type {[string, boolean]} */ [tex, displayMode]) => {
  try {
    return !katex.renderToString(tex, { displayMode, strict: false });
  } catch {
    return true;
  }
};
process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).filter(isWrong)));
