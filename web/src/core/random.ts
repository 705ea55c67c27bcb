// Random numbers that are the same in every run.

/** Yield numbers between -1 and 1. */
export function* noise(): Generator<number, never> {
  for (let seed = 1; ; ) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    yield seed / 2 ** 31 - 1;
  }
}
