// Tests of values that come from the address of a page.

/** Test for so many numbers within bounds. */
export function areNumbers(
  value: any,
  count: number,
  low = -Infinity,
  high = Infinity,
): value is number[] {
  const isNumber = (x: any) => Number.isFinite(x) && x >= low && x <= high;
  return Array.isArray(value) && value.length === count && value.every(isNumber);
}

type Test = (value: any) => boolean;

// Validators of traits: one of some values, an integer, a point within limits, a list.
export const isOneOf =
  (...values: any[]): Test =>
  (value) =>
    values.includes(value);
export const isWhole =
  (low: number, high: number): Test =>
  (value) =>
    Number.isInteger(value) && value >= low && value <= high;
export const isWithin =
  (limits: number[]): Test =>
  (value) =>
    areNumbers(value, 2, -limits[0], limits[0]) && Math.abs(value[1]) <= limits[1];
export const isListOf =
  (test: Test, shortest: number, longest: number): Test =>
  (value) =>
    Array.isArray(value) &&
    value.length >= shortest &&
    value.length <= longest &&
    value.every(test);

export const isLike = (state: any, values: object): boolean =>
  Object.entries(values).every(
    ([name, value]) => JSON.stringify(state[name]) === JSON.stringify(value),
  );
