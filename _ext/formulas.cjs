// Set formulas with MathJax: reads {macros, formulas: [[tex, display], ...]} from stdin and writes
// {css, html: [...], faults: [...]} to stdout. _ext/formulas.py calls it once a build.
"use strict";

const { readFileSync } = require("node:fs");
const { join } = require("node:path");

const packages = join(__dirname, "browser", "node_modules");
const font = "@mathjax/mathjax-stix2-font";

// What the pages do not need: the source in every element, and defaults of MathML.
const SPARE = / (?:data-latex(?:-item)?|overflow|xmlns|unselectable)="[^"]*"/g;

let fault = null;

async function main() {
  const { macros, formulas } = JSON.parse(readFileSync(0, "utf8"));
  const MathJax = await require(join(packages, "mathjax", "node-main.cjs")).init({
    loader: {
      paths: { mathjax: join(packages, "mathjax"), "mathjax-stix2": join(packages, font) },
      load: ["input/tex", "output/chtml", "adaptors/liteDOM", "a11y/assistive-mml"],
    },
    output: { font: "mathjax-stix2" },
    chtml: { fontURL: "fonts" },
    tex: {
      macros,
      packages: { "[-]": ["noundefined"] },
      formatError(jax, error) {
        fault = error.message;
        return jax.formatError(error);
      },
    },
    startup: { typeset: false },
  });
  const { adaptor } = MathJax.startup;
  const html = [];
  const faults = [];
  for (const [tex, display] of formulas) {
    fault = null;
    const node = await MathJax.tex2chtmlPromise(tex, { display });
    html.push(adaptor.outerHTML(node).replace(SPARE, ""));
    faults.push(fault);
  }
  const css = adaptor.cssText(MathJax.chtmlStylesheet());
  process.stdout.write(JSON.stringify({ css, html, faults }));
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
