// Types that all scripts use, what web/build.js defines, and a package that has no types.

/** A matrix, row by row. A square one comes with its order n, points with their columns p. */
type Matrix = Float64Array;
type Numbers = ArrayLike<number>;
/** Returns the entry in row i and column j of a matrix. */
type Entry = (i: number, j: number) => number;
/** A point of the plane, [x, y]. */
type Point = number[];

declare const WORKER_SCRIPT: string | undefined;
declare module "fastest-levenshtein";
