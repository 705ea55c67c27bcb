// How much data the laboratory takes.

/** The largest numbers of objects, of objects without landmarks, of columns and of characters. */
export const LIMITS = {
  objects: 2000,
  withoutLandmarks: 500,
  columns: 1000,
  charactersInField: 1e6,
  characters: 6e6,
};

export const LANDMARKS = 200;
