// Selections, sliders, and fields for numbers.

import { setAttributes } from "./svg.js";
import { hundredth, setText } from "./text.js";

/** @import { Explorer } from "./state.js" */

/** Fill a selection with options [value, words]; select `chosen`.
 * @type {(select: Element, options: string[][], chosen?: string | null) => void} */
export function fillSelect(select, options, chosen = null) {
  select.replaceChildren(
    ...options.map(([value, words]) => {
      const option = document.createElement("option");
      option.setAttribute("value", value);
      option.selected = value === chosen;
      option.textContent = words;
      return option;
    }),
  );
}

/**
 * Append a named range input; return a function that sets it.
 * @param {Element} host
 * @param {Explorer} explorer
 * @param {object} options
 * @param {string} options.name
 * @param {number[]} options.ends  [smallest, largest, step]
 * @param {(value: number) => string} options.words  returns the text of a value
 * @param {(value: number) => void} options.input  writes a value to the state
 */
export function range(host, explorer, { name, ends: [min, max, step], words, input }) {
  /** @type {any} */
  const row = host.appendChild(document.createElement("label"));
  row.className = "kx-range";
  row.innerHTML = '<span></span><input type="range" autocomplete="off"><em></em>';
  const [title, field, shown] = row.children;
  setText(title, name);
  setAttributes(field, { min, max, step });
  const show = (/** @type {number} */ value) => {
    field.setAttribute("aria-valuetext", words(value));
    setText(shown, words(value));
  };
  field.addEventListener("input", () => {
    show(Number(field.value));
    input(Number(field.value));
    explorer.drawInNextFrame();
  });
  field.addEventListener("change", () => explorer.save());
  return (/** @type {number} */ value) => {
    field.value = value;
    show(value);
  };
}

/**
 * Append a slider of a trait, or of a part `of()` of the state. `to` and `from` convert between
 * places and values. Return a function that shows the value.
 * @type {<State>(host: Element, explorer: Explorer, state: State, trait: keyof State, options: {
 *   name: string, ends: number[], of?: () => any, to?: (place: any) => number,
 *   from?: (value: number) => number, words?: (value: number) => string }) => () => void}
 */
export function slider(
  host,
  explorer,
  state,
  trait,
  { name, ends, of = () => state, to = Number, from = Number, words = String },
) {
  const show = range(host, explorer, {
    name,
    ends,
    words: (place) => words(to(place)),
    input: (place) => (of()[trait] = to(place)),
  });
  return () => show(from(of()[trait]));
}

/**
 * Return the number that a reader typed, with a point or a comma, or a sentence on what is wrong.
 * @type {(typed: string, most: number) =>
 *   { number: number, error?: undefined } | { number?: undefined, error: string }}
 */
export function readNumber(typed, most) {
  const plain = typed.trim().replace(",", ".").replace("\u2212", "-");
  const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : NaN;
  if (number >= 0 && number <= most) return { number };
  const wanted = `Enter a number from 0 to ${most}.`;
  if (plain === "") return { error: wanted };
  if (Number.isNaN(number))
    return { error: `\u201c${typed.trim()}\u201d is not a number. ${wanted}` };
  const why = number < 0 ? "A distance cannot be negative." : `${typed.trim()} is too large.`;
  return { error: `${why} ${wanted}` };
}

/**
 * Follow a field for a number from 0 to `most`, and save the state when the reader leaves it.
 * @param {HTMLInputElement} field
 * @param {Explorer} explorer
 * @param {object} options
 * @param {number} options.most
 * @param {number} options.by  the step of the arrow keys
 * @param {() => number} options.get
 * @param {() => string} options.shown  returns the text that the field shows at the end
 * @param {(number: number) => void} options.accept  is called while the reader types a number
 * @param {(error: string) => void} options.reject  is called if the text is no number
 */
export function numberField(field, explorer, { most, by, get, shown, accept, reject }) {
  const leave = () => {
    field.removeAttribute("aria-invalid");
    field.value = shown();
    explorer.save();
  };
  field.addEventListener("input", () => {
    const { number, error } = readNumber(field.value, most);
    field.setAttribute("aria-invalid", String(error !== undefined));
    if (error === undefined) accept(number);
    else reject(error);
  });
  field.addEventListener("change", leave);
  field.addEventListener("keydown", (event) => {
    const step = { ArrowUp: by, ArrowDown: -by }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    field.removeAttribute("aria-invalid");
    accept(hundredth(Math.min(most, Math.max(0, get() + step))));
    leave();
  });
}
