// The numbers and the texts of the explorer of a change of basis.

import { dot, type Point, sumOf } from "../core/matrix.ts";
import { hundredth, text } from "../ui/text.ts";

export type Rows = [Point, Point]; // a 2 by 2 matrix, or two vectors
export interface State {
  kind: "symmetric" | "diagonalisable" | "defective"; // the name of the map
  basis: Rows; // its two vectors
}
export type Result = ReturnType<typeof resultOf>;

const rowsOf = (a: number, b: number, c: number, d: number): Rows => [
  [a, b],
  [c, d],
];

export const MAPS = {
  symmetric: rowsOf(1.5, 0.5, 0.5, 1.5),
  diagonalisable: rowsOf(1, 1, 0.5, 1.5),
  defective: rowsOf(1.5, 0.5, -0.5, 0.5),
};
export const STANDARD = rowsOf(1, 0, 0, 1);
/** Smallest length of a basis vector, and smallest sine of the angle between them. */
const SMALLEST = 0.05;

/** Return the matrix whose columns are the basis: it maps new coordinates to old ones. */
export function columns([[a, c], [b, d]]: Rows) {
  return rowsOf(a, b, c, d);
}

function determinant([[a, b], [c, d]]: Rows) {
  return a * d - b * c;
}

export function inverse(A: Rows) {
  const [[a, b], [c, d]] = A;
  const size = determinant(A);
  return rowsOf(d / size, -b / size, -c / size, a / size);
}

/** Return M' = P M P^-1, where the columns of P^-1 are the basis; null if it is degenerate. */
export function similar(M: Rows, basis: Rows) {
  const lengths = basis.map(([x, y]) => Math.hypot(x, y));
  const sine = Math.abs(determinant(basis)) / (lengths[0] * lengths[1] || 1);
  if (Math.min(...lengths, sine) < SMALLEST) return null;
  const back = columns(basis);
  return product(product(inverse(back), M), back);
}

/** Return the determinant, the trace and both real eigenvalues, the larger first. */
export function invariants(M: Rows) {
  const det = determinant(M);
  const trace = M[0][0] + M[1][1];
  const gap = trace * trace - 4 * det;
  const root = Math.abs(gap) < 1e-9 * Math.max(1, trace * trace) ? 0 : Math.sqrt(gap);
  return { det, trace, high: (trace + root) / 2, low: (trace - root) / 2 };
}

/** Return unit eigenvectors of a 2 by 2 matrix, one for each eigenvalue; one if it is defective. */
export function eigenvectors(M: Rows) {
  const { high, low } = invariants(M);
  const [[a, b], [c, d]] = M;
  const direction = (value: number): Point => {
    const rows = rowsOf(b, value - a, value - d, c);
    const [longer] = rows.sort((u, v) => Math.hypot(...v) - Math.hypot(...u));
    const [x, y] = longer.map((v) => v / Math.hypot(...longer));
    return x < 0 || (x === 0 && y < 0) ? [-x, -y] : [x, y];
  };
  return high === low ? [direction(high)] : [direction(high), direction(low)];
}

/** Return the eigenvectors in the order and with the signs that change the basis least. */
export function nearest([u, v]: Point[], basis: Rows) {
  const match = (pair: Rows) => sumOf(pair, (w, i) => Math.abs(dot(w, basis[i])));
  const pair: Rows = match([u, v]) >= match([v, u]) ? [u, v] : [v, u];
  return pair.map((vector, i) => (dot(vector, basis[i]) < 0 ? vector.map((c) => -c) : vector));
}

/** Return a basis vector, shortened so that the image of the parallelogram is within the limits. */
export function shortened(vector: Point, other: Point, kind: State["kind"], limits: Point): Point {
  const [image, far] = [vector, other].map((one) => apply(MAPS[kind], one));
  const room = limits.map((most, axis) => most - Math.max(0, Math.sign(image[axis]) * far[axis]));
  const t = Math.min(1, ...room.map((most, axis) => Math.max(0.3, most) / Math.abs(image[axis])));
  return vector.map((v) => hundredth(t * v));
}

export const apply = (M: Rows, vector: Point): Point => M.map((row) => dot(row, vector));
const product = (A: Rows, B: Rows): Rows => A.map((row) => apply(columns(B), row));
export const add = (u: Point, v: Point): Point => [u[0] + v[0], u[1] + v[1]];

export function resultOf({ kind, basis }: State) {
  const M = MAPS[kind];
  return { M, Mnew: similar(M, basis), directions: eigenvectors(M) };
}

export function basisVerdict(Mnew: Rows | null) {
  if (!Mnew)
    return {
      holds: false,
      head: "b\u2081 and b\u2082 are nearly linearly dependent.",
      reason: "Linearly dependent vectors are not a basis, and P does not exist.",
    };
  const [[a, b], [c, d]] = Mnew;
  if (Math.max(Math.abs(b), Math.abs(c)) < 0.005)
    return {
      holds: true,
      head: "M\u2032 is diagonal.",
      reason: `Its entries ${text(a)} and ${text(d)} are the eigenvalues.`,
    };
  return {
    head: "M\u2032 is not diagonal.",
    reason: `Its off-diagonal entries are ${text(b)} and ${text(c)}.`,
  };
}
