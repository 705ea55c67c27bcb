// Bundle the modules in src: one script and one style sheet for the pages, a script for the
// laboratory, and a module with a style sheet for each widget in Jupyter.

import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";
import * as explorers from "./src/explorers/index.ts";

const here = import.meta.dirname;
const inSource = (path: string) => join(here, "src", path);
const PAGES = join(here, "dist");
const WIDGETS = join(here, "..", "kmds_figures", "bundles");
const OPTIONS = {
  bundle: true,
  minify: true,
  charset: "utf8",
  target: "es2022",
  logLevel: "warning",
  // Not tsconfig.json, whose "strict" would add "use strict" to classic scripts.
  tsconfigRaw: {},
};

/** Bundle the style sheet of a widget, which begins with what all explorers share. */
function bundleStyle(widget: string) {
  const sheets = ["ui/explorer.css", `${widget}.css`].filter((path) => existsSync(inSource(path)));
  const contents = sheets.map((path) => `@import "./${path}";`).join("");
  const stdin = { contents, resolveDir: inSource("."), loader: "css" };
  return build({ ...OPTIONS, stdin, outfile: join(WIDGETS, `${basename(widget)}.css`) });
}

const widgets = [
  ...Object.keys(explorers).map((name) => `explorers/${name}`),
  "laboratory/laboratory",
];
// The script of the laboratory contains that of its worker as a text.
const entryPoints = [inSource("laboratory/fitting/workerMain.ts")];
const worker = await build({ ...OPTIONS, entryPoints, format: "iife", write: false });
const define = { WORKER_SCRIPT: JSON.stringify(worker.outputFiles[0].text) };

await Promise.all([
  build({
    ...OPTIONS,
    entryPoints: { pages: inSource("pages/main.ts"), styles: inSource("pages/styles.css") },
    format: "iife",
    outdir: PAGES,
  }),
  build({
    ...OPTIONS,
    define,
    entryPoints: [inSource("laboratory/laboratory.ts")],
    format: "iife",
    globalName: "kmdsLaboratory",
    outdir: PAGES,
  }),
  build({
    ...OPTIONS,
    define,
    entryPoints: widgets.map((widget) => inSource(`${widget}.ts`)),
    entryNames: "[name]",
    format: "esm",
    outdir: WIDGETS,
  }),
  ...widgets.map(bundleStyle),
]);
