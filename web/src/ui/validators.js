// Tests of values that come from the address of a page.

/** Return true for an array of `count` numbers within bounds. */
export function areNumbers(value, count, low = -Infinity, high = Infinity) {
  const isNumber = (x) => Number.isFinite(x) && x >= low && x <= high;
  return Array.isArray(value) && value.length === count && value.every(isNumber);
}

/** Validators of traits: one of some values, an integer, a point within limits, a list. */
export const isOneOf =
  (...values) =>
  (value) =>
    values.includes(value);
export const isWhole = (low, high) => (value) =>
  Number.isInteger(value) && value >= low && value <= high;
export const isWithin = (limits) => (value) =>
  areNumbers(value, 2, -limits[0], limits[0]) && Math.abs(value[1]) <= limits[1];
export const isListOf = (test, shortest, longest) => (value) =>
  Array.isArray(value) && value.length >= shortest && value.length <= longest && value.every(test);

export const isLike = (state, values) =>
  Object.entries(values).every(
    ([name, value]) => JSON.stringify(state[name]) === JSON.stringify(value),
  );
