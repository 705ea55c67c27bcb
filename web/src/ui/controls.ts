// Selections, sliders, and fields for numbers.

import type { Explorer } from "./state.ts";
import { setAttributes } from "./svg.ts";
import { hundredth, setText } from "./text.ts";
import { partOf } from "./verdict.ts";

/** Fill a selection with options [value, words]; select `chosen`. */
export function fillSelect(select: Element, options: string[][], chosen: string | null = null) {
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

interface RangeOptions {
  name: string;
  ends: number[]; // [smallest, largest, step]
  words: (value: number) => string; // returns the text of a value
  input: (value: number) => void; // writes a value to the state
}

/** Append a named range input; return a function that sets it. */
export function range(host: Element, explorer: Explorer, options: RangeOptions) {
  const { name, words, input } = options;
  const [min, max, step] = options.ends;
  const row = host.appendChild(document.createElement("label"));
  row.className = "kx-range";
  row.innerHTML = '<span></span><input type="range" autocomplete="off"><em></em>';
  const [field, shown] = [partOf<HTMLInputElement>(row, "input"), partOf(row, "em")];
  setText(partOf(row, "span"), name);
  setAttributes(field, { min, max, step });
  const show = (value: number) => {
    field.setAttribute("aria-valuetext", words(value));
    setText(shown, words(value));
  };
  field.addEventListener("input", () => {
    show(Number(field.value));
    input(Number(field.value));
    explorer.drawInNextFrame();
  });
  field.addEventListener("change", () => explorer.save());
  return (value: number) => {
    field.value = String(value);
    show(value);
  };
}

interface SliderOptions<T extends string> {
  name: string;
  ends: number[]; // [smallest, largest, step]
  of?: () => Record<T, number>;
  to?: (place: number) => number;
  from?: (value: number) => number;
  words?: (value: number) => string;
}

/**
 * Append a slider of a trait, or of a part `of()` of the state. `to` and `from` convert between
 * places and values. Return a function that shows the value.
 */
export function slider<T extends string>(
  host: Element,
  explorer: Explorer,
  state: Record<T, number>,
  trait: T,
  { name, ends, of = () => state, to = Number, from = Number, words = String }: SliderOptions<T>,
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
 */
export function readNumber(typed: string, most: number) {
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

interface FieldOptions {
  most: number;
  by: number; // the step of the arrow keys
  get: () => number;
  shown: () => string; // returns the text that the field shows at the end
  accept: (number: number) => void; // is called while the reader types a number
  reject: (error: string) => void; // is called if the text is no number
}

/** Follow a field for a number from 0 to `most`, and save the state when the reader leaves it. */
export function numberField(field: HTMLInputElement, explorer: Explorer, options: FieldOptions) {
  const { most, by, get, shown, accept, reject } = options;
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
