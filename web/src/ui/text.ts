// Text of numbers and sentences.

import type { Point } from "../core/matrix.ts";

/** Return a number as text, with a true minus sign and no negative zero. */
export function text(value: number, digits = 2) {
  const fixed = value.toFixed(digits);
  return (Number(fixed) === 0 ? (0).toFixed(digits) : fixed).replace("-", "\u2212");
}

export const superscript = (integer: number) =>
  String(integer).replace(/./g, (mark) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(mark)] ?? "⁻");

export const subscript = (integer: number) =>
  String(integer).replace(/./g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[Number(digit)]);

/** Write a number with so many digits, a true minus, and a power of ten instead of an exponent. */
export function readableNumber(value: number, digits = 6) {
  const [mantissa, power] = value
    .toExponential(digits - 1)
    .split("e")
    .map(Number);
  const minus = (words: string) => words.replace("-", "\u2212");
  if (!value || Math.abs(value) === Infinity || (power >= -4 && power < 7))
    return minus(String(Number(value.toPrecision(digits))));
  return `${minus(String(mantissa))} \u00D7 10${superscript(power)}`;
}

export const percent = (fraction: number) => `${text(100 * fraction, 1)}%`;

/** Return a point, in thousands of kilometres, as a screen reader should read it. */
export const spokenKm = ([x, y]: Point) => `x ${text(1000 * x, 0)} km, y ${text(1000 * y, 0)} km`;

export const plural = (count: number, one: string, more = `${one}s`): string =>
  `${count} ${count === 1 ? one : more}`;

export const capital = (words: string) => words[0].toUpperCase() + words.slice(1);

/** An exponent, a Greek letter, or a single letter that is neither an article nor a unit. */
const SYMBOL =
  /(\^[\d.]+|(?<![\p{L}\d’]|\d )(?:HKH|nS|[b-zB-HJ-Z])(?![\p{L}\d])|(?<!\p{L})[α-ω](?!\p{L}))/u;

/** Write text into an element, with its symbols in italics and exponents such as ^2 raised. */
export function setText(element: Element, words: string) {
  const parts = words.split(SYMBOL).map((part, i) => {
    if (i % 2 === 0) return part;
    const symbol = document.createElement(part.startsWith("^") ? "sup" : "i");
    symbol.textContent = part.replace("^", "");
    return symbol;
  });
  element.replaceChildren(...parts);
}

/** Round to tenths, which are enough for a drawing. */
export const tenth = (v: number) => Math.round(10 * v) / 10;

export const hundredth = (v: number) => Math.round(100 * v) / 100;

/** Round to three digits, which are enough for a slider. */
export const threeDigits = (v: number) => Number(v.toPrecision(3));
/** Convert between places and values of a logarithmic slider. */
export const POWERS = { to: (x: number) => threeDigits(10 ** x), from: Math.log10 };

/** Return up to four words as a list, or three and the number of the others. */
export const someOf = (words: string[]) =>
  words.length > 4
    ? `${words.slice(0, 3).join(", ")} and ${words.length - 3} more`
    : words.join(", ");
