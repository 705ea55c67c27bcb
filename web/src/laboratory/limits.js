// How much data the laboratory takes.

// Above `whole` objects, landmark scaling is used.
export const MOST = { objects: 2000, whole: 500, columns: 1000, typed: 1e6, characters: 6e6 };

export const LANDMARKS = 200;
