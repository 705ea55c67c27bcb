// How much data the laboratory takes.

// Above `whole` objects landmarks place the others.
export const MOST = { objects: 2000, whole: 500, columns: 1000, typed: 1e6, characters: 6e6 };

/** So many of n objects as may be, spread evenly over the table. */
export function evenly(n, most) {
  const count = Math.min(n, most);
  return Array.from({ length: count }, (_, r) => Math.floor((r * n) / count));
}

export const LANDMARKS = 200;
