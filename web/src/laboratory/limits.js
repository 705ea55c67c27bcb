// How much data the laboratory takes.

// Above `whole` objects, landmark scaling is used.
export const MOST = { objects: 2000, whole: 500, columns: 1000, typed: 1e6, characters: 6e6 };

/** The indices of at most `most` of n objects, evenly spread over the table. */
export function evenly(n, most) {
  const count = Math.min(n, most);
  return Array.from({ length: count }, (_, r) => Math.floor((r * n) / count));
}

export const LANDMARKS = 200;
