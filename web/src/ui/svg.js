// SVG elements.

/** @template {keyof SVGElementTagNameMap} Tag @param {Element} parent @param {Tag} tag */
export function svg(parent, tag, attributes = {}) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setAttributes(element, attributes);
  return parent.appendChild(element);
}

/** @type {(parent: Element, words: string | number, attributes: object) => SVGTextElement} */
export function appendText(parent, words, attributes) {
  const element = svg(parent, "text", attributes);
  element.textContent = String(words);
  return element;
}

/** @type {(element: Element, attributes: object) => void} */
export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}

/** @type {(drawing: SVGSVGElement, event: { clientX: number, clientY: number }) => DOMPoint} */
export const placeIn = (drawing, { clientX, clientY }) =>
  new DOMPoint(clientX, clientY).matrixTransform(drawing.getScreenCTM()?.inverse());

/** Append a hatching, which marks negative values; return the value of `fill` for it. */
export function hatching(/** @type {Element} */ root, /** @type {string} */ name) {
  const id = `kx-hatch-${name}`;
  const size = {
    width: 5,
    height: 5,
    patternUnits: "userSpaceOnUse",
    patternTransform: "rotate(45)",
  };
  const pattern = svg(svg(root, "defs"), "pattern", { id, ...size });
  svg(pattern, "line", { x1: 0, y1: 0, x2: 0, y2: 5, class: "kx-hatch" });
  return `url(#${id})`;
}

/** @type {(parent: Element, names: string[]) => SVGElement[]} */
export const svgPaths = (parent, names) =>
  names.map((name) => svg(parent, "path", { class: name }));
