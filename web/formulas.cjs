// Typeset formulas with MathJax: read {macros, formulas: [[tex, display], ...]} from stdin and
// write {css, html: [...], errors: [...]} to stdout. _ext/formulas.py calls this once per build.
"use strict";

const { readFileSync } = require("node:fs");
const { join } = require("node:path");

const packages = join(__dirname, "node_modules");
const font = "@mathjax/mathjax-stix2-font";

// Attributes that the pages do not need: the TeX source in every element, and defaults of MathML.
const UNUSED = / (?:data-latex(?:-item)?|overflow|xmlns|unselectable)="[^"]*"/g;
// MathJax writes the bar of a root without its style, because it sets the width in a shorthand.
const BAR = /(border-top: [\d.]+em);/g;

let message = null;

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
      formatError(/** @type {any} */ jax, /** @type {Error} */ error) {
        message = error.message;
        return jax.formatError(error);
      },
    },
    startup: { typeset: false },
  });
  const { adaptor } = MathJax.startup;
  const html = [];
  const errors = [];
  for (const [tex, display] of formulas) {
    message = null;
    const node = await MathJax.tex2chtmlPromise(tex, { display });
    html.push(adaptor.outerHTML(node).replace(UNUSED, "").replace(BAR, "$1 solid;"));
    errors.push(message);
  }
  const css = adaptor.cssText(MathJax.chtmlStylesheet());
  process.stdout.write(JSON.stringify({ css, html, errors }));
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
