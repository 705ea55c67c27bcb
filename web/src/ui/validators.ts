// Tests of values that come from the address of a page.

/** Test for so many numbers within bounds. */
export function areNumbers(
  value: unknown,
  count: number,
  low = -Infinity,
  high = Infinity,
): value is number[] {
  const isNumber = (x: number) => Number.isFinite(x) && x >= low && x <= high;
  return Array.isArray(value) && value.length === count && value.every(isNumber);
}

type Test = (value: unknown) => boolean;

// Validators of traits: one of some values, an integer, a point within limits, a list.
export function isOneOf(...values: unknown[]): Test {
  return (value) => values.includes(value);
}
export function isWhole(low: number, high: number): Test {
  return (value) => Number.isInteger(value) && areNumbers([value], 1, low, high);
}
export function isWithin([x, y]: number[]): Test {
  return (value) => areNumbers(value, 2, -x, x) && Math.abs(value[1]) <= y;
}
export function isListOf(test: Test, shortest: number, longest: number): Test {
  const isLong = ({ length }: unknown[]) => length >= shortest && length <= longest;
  return (value) => Array.isArray(value) && isLong(value) && value.every(test);
}

/** Test whether a state has some values. */
export function hasValues(state: object, values: object): boolean {
  const actual = new Map(Object.entries(state));
  const isEqual = ([name, value]: [string, unknown]) =>
    JSON.stringify(actual.get(name)) === JSON.stringify(value);
  return Object.entries(values).every(isEqual);
}
