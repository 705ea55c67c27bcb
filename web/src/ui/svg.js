// SVG elements.

export function svg(parent, tag, attributes = {}) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setAttributes(element, attributes);
  return parent.appendChild(element);
}

export function appendText(parent, words, attributes) {
  const element = svg(parent, "text", attributes);
  element.textContent = words;
  return element;
}

export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}

export const placeIn = (drawing, { clientX, clientY }) =>
  new DOMPoint(clientX, clientY).matrixTransform(drawing.getScreenCTM().inverse());

/** Append a hatching, which marks negative values; return the value of `fill` for it. */
export function hatching(root, name) {
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

export const svgPaths = (parent, names) =>
  names.map((name) => svg(parent, "path", { class: name }));
