// Numbers for a reader.

/** Write a number with so many digits, a true minus, and a power of ten instead of an exponent. */
export function readable(value, digits = 6) {
  const [mantissa, power] = value
    .toExponential(digits - 1)
    .split("e")
    .map(Number);
  const minus = (words) => words.replace("-", "\u2212");
  if (!value || Math.abs(value) === Infinity || (power >= -4 && power < 7))
    return minus(String(Number(value.toPrecision(digits))));
  const raised = String(power).replace(
    /./g,
    (mark) => "\u2070\u00B9\u00B2\u00B3\u2074\u2075\u2076\u2077\u2078\u2079"[mark] ?? "\u207B",
  );
  return `${minus(String(mantissa))} \u00D7 10${raised}`;
}
