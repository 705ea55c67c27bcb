// SVG elements.

export function svg<Tag extends keyof SVGElementTagNameMap>(
  parent: Element,
  tag: Tag,
  attributes = {},
) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setAttributes(element, attributes);
  return parent.appendChild(element);
}

export function appendText(parent: Element, words: string | number, attributes: object) {
  const element = svg(parent, "text", attributes);
  element.textContent = String(words);
  return element;
}

export function setAttributes(element: Element, attributes: object): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}

export type Client = { clientX: number; clientY: number };

export const placeIn = (drawing: SVGSVGElement, { clientX, clientY }: Client) =>
  new DOMPoint(clientX, clientY).matrixTransform(drawing.getScreenCTM()?.inverse());

/** Append a hatching, which marks negative values; return the value of `fill` for it. */
export function hatching(root: Element, name: string) {
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

export const svgPaths = (parent: Element, names: string[]): SVGElement[] =>
  names.map((name) => svg(parent, "path", { class: name }));
