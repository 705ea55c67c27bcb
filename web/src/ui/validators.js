// Tests of values that come from the address of a page.

/** Whether a value is an array of so many numbers, none outside some bounds. */
export function areNumbers(value, count, low = -Infinity, high = Infinity) {
  const isNumber = (x) => Number.isFinite(x) && x >= low && x <= high;
  return Array.isArray(value) && value.length === count && value.every(isNumber);
}

// What a trait may be: one of some values, a whole number, a point of a plane with some reach, a
// list.
export const isOneOf =
  (...values) =>
  (value) =>
    values.includes(value);
export const isWhole = (low, high) => (value) =>
  Number.isInteger(value) && value >= low && value <= high;
export const isWithin =
  ([across, up]) =>
  (value) =>
    areNumbers(value, 2, -across, across) && Math.abs(value[1]) <= up;
export const isListOf = (test, least, most) => (value) =>
  Array.isArray(value) && value.length >= least && value.length <= most && value.every(test);

/** Whether a state is what some values would make it. */
export const isLike = (state, values) =>
  Object.entries(values).every(
    ([name, value]) => JSON.stringify(state[name]) === JSON.stringify(value),
  );
