// Bundle the modules in src: one script and one style sheet for the pages, a script for the
// laboratory, and a module with a style sheet for each widget in Jupyter.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";

const here = import.meta.dirname;
const inSource = (path) => join(here, "src", path);
const PAGES = join(here, "dist");
const WIDGETS = join(here, "..", "kmds_figures", "bundles");
const DEFAULT = "export default";
const OPTIONS = {
  bundle: true,
  minify: true,
  charset: "utf8",
  target: "es2022",
  logLevel: "warning",
};

/** Return the script of the laboratory's worker as a text. */
async function bundleWorker() {
  const entryPoints = [inSource("laboratory/workerMain.js")];
  const { outputFiles } = await build({ ...OPTIONS, entryPoints, format: "iife", write: false });
  return outputFiles[0].text;
}

/** Return the paths in src of the modules of widgets, which have a default export. */
function findWidgets() {
  const modules = readdirSync(inSource("explorers")).filter((name) => name.endsWith(".js"));
  const isWidget = (name) => readFileSync(inSource(`explorers/${name}`), "utf8").includes(DEFAULT);
  const explorers = modules.filter(isWidget).map((name) => `explorers/${basename(name, ".js")}`);
  return [...explorers, "laboratory/laboratory"];
}

/** Bundle the style sheet of a widget, which begins with what all explorers share. */
function bundleStyle(widget) {
  const sheets = ["ui/explorer.css", `${widget}.css`].filter((path) => existsSync(inSource(path)));
  const contents = sheets.map((path) => `@import "./${path}";`).join("");
  const stdin = { contents, resolveDir: inSource("."), loader: "css" };
  return build({ ...OPTIONS, stdin, outfile: join(WIDGETS, `${basename(widget)}.css`) });
}

const widgets = findWidgets();
const define = { WORKER_SCRIPT: JSON.stringify(await bundleWorker()) };

await Promise.all([
  build({
    ...OPTIONS,
    entryPoints: { pages: inSource("pages/main.js"), explorers: inSource("pages/explorers.css") },
    format: "iife",
    outdir: PAGES,
  }),
  build({
    ...OPTIONS,
    define,
    entryPoints: [inSource("laboratory/laboratory.js")],
    format: "iife",
    globalName: "kmdsLaboratory",
    outdir: PAGES,
  }),
  build({
    ...OPTIONS,
    define,
    entryPoints: widgets.map((widget) => inSource(`${widget}.js`)),
    entryNames: "[name]",
    format: "esm",
    outdir: WIDGETS,
  }),
  ...widgets.map(bundleStyle),
]);
