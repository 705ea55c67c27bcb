// Tests of values that come from the address of a page.

/** Test for so many numbers within bounds. @param {any} value @returns {value is number[]} */
export function areNumbers(value, /** @type {number} */ count, low = -Infinity, high = Infinity) {
  const isNumber = (/** @type {any} */ x) => Number.isFinite(x) && x >= low && x <= high;
  return Array.isArray(value) && value.length === count && value.every(isNumber);
}

/** @typedef {(value: any) => boolean} Test */

// Validators of traits: one of some values, an integer, a point within limits, a list.
/** @type {(...values: any[]) => Test} */
export const isOneOf =
  (...values) =>
  (value) =>
    values.includes(value);
/** @type {(low: number, high: number) => Test} */
export const isWhole = (low, high) => (value) =>
  Number.isInteger(value) && value >= low && value <= high;
/** @type {(limits: number[]) => Test} */
export const isWithin = (limits) => (value) =>
  areNumbers(value, 2, -limits[0], limits[0]) && Math.abs(value[1]) <= limits[1];
/** @type {(test: Test, shortest: number, longest: number) => Test} */
export const isListOf = (test, shortest, longest) => (value) =>
  Array.isArray(value) && value.length >= shortest && value.length <= longest && value.every(test);

/** @type {(state: any, values: object) => boolean} */
export const isLike = (state, values) =>
  Object.entries(values).every(
    ([name, value]) => JSON.stringify(state[name]) === JSON.stringify(value),
  );
