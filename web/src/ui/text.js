// Text of numbers and sentences.

/** Text of a number with a true minus sign and no negative zero. */
export function text(value, digits = 2) {
  const fixed = value.toFixed(digits);
  return (Number(fixed) === 0 ? (0).toFixed(digits) : fixed).replace("-", "\u2212");
}

/** How many there are of something. */
export const plural = (count, one, more = `${one}s`) => `${count} ${count === 1 ? one : more}`;

export const capital = (words) => words[0].toUpperCase() + words.slice(1);

// A Greek letter, and one that stands alone, but for articles and units.
const SYMBOL = /((?<![\p{L}\d’]|\d )(?:HKH|nS|[b-zB-HJ-Z])(?![\p{L}\d])|(?<!\p{L})[α-ω](?!\p{L}))/u;

/** Write words, with the symbols in them as such. */
export function setText(element, words) {
  const parts = words.split(SYMBOL).map((part, at) => {
    if (at % 2 === 0) return part;
    const symbol = document.createElement("i");
    symbol.textContent = part;
    return symbol;
  });
  element.replaceChildren(...parts);
}

/** Tenths of a unit are enough for a drawing. */
export const tenth = (v) => Math.round(10 * v) / 10;

export const hundredth = (v) => Math.round(100 * v) / 100;

/** Three digits are enough for what a slider sets. */
export const threeDigits = (v) => Number(v.toPrecision(3));
/** Places and values of a slider by powers of ten. */
export const POWERS = { to: (place) => threeDigits(10 ** place), from: Math.log10 };

export const someOf = (words) =>
  words.length > 4
    ? `${words.slice(0, 3).join(", ")} and ${words.length - 3} more`
    : words.join(", ");
