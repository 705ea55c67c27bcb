// Procrustes alignment.

import type { Entry, Matrix } from "./matrix.ts";
import { columnMeans, crossTable, dot, EPS, matrixProduct, shifted, sumOf } from "./matrix.ts";

interface Alignment {
  points: Matrix; // scale * Y * rotation + translation
  rotation: Matrix;
  translation: Float64Array;
  scale: number;
  residual: number; // the Frobenius norm of points - target
}

/**
 * Rotate and translate Y onto a target of the same shape, and reflect it if this reduces the
 * misfit; with `scaling`, also scale it.
 */
export function procrustesAlign(
  Y: Matrix,
  p: number,
  target: Matrix,
  { scaling = false } = {},
): Alignment {
  const [mean, targetMean] = [columnMeans(Y, p), columnMeans(target, p)];
  const [centred, goal] = [shifted(Y, p, mean), shifted(target, p, targetMean)];
  const [size, goalSize] = [centred, goal].map((M) => Math.sqrt(dot(M, M)));
  const cross = crossTable(p, p, (a, b) => {
    let sum = 0;
    for (let offset = 0; offset < Y.length; offset += p)
      sum += centred[offset + a] * goal[offset + b];
    return sum / (size * goalSize || 1);
  });
  const { rotation, strength } = polarFactor(cross, p);
  const scale = scaling && size > 0 ? (strength * goalSize) / size : 1;
  const turned = matrixProduct(centred, p, rotation, p).map((y) => scale * y);
  const movedMean = matrixProduct(mean, p, rotation, p);
  return {
    points: turned.map((y, at) => y + targetMean[at % p]),
    rotation,
    translation: targetMean.map((t, c) => t - scale * movedMean[c]),
    scale,
    residual: Math.sqrt(sumOf(turned, (y, at) => (y - goal[at]) ** 2)),
  };
}

/** Return UV' for the SVD C = USV', by one-sided Jacobi rotations, and the trace of S. */
export function polarFactor(C: Matrix, p: number) {
  const vectors = (entry: Entry) =>
    Array.from({ length: p }, (_, c) => Float64Array.from({ length: p }, (_, r) => entry(r, c)));
  const columns = vectors((r, c) => C[r * p + c]);
  const axes = vectors((r, c) => Number(r === c));
  for (let sweep = 0, turned = true; turned && sweep < 60; sweep++) {
    turned = false;
    for (let a = 0; a < p; a++)
      for (let b = 0; b < a; b++) turned = orthogonalise(columns, axes, a, b) || turned;
  }
  const lengths = columns.map((column) => Math.sqrt(dot(column, column)));
  const order = lengths.map((_, c) => c).sort((a, b) => lengths[b] - lengths[a]);
  const units: Matrix[] = [];
  order.forEach((c) => {
    if (lengths[c] > 4 * EPS * lengths[order[0]]) units.push(columns[c].map((x) => x / lengths[c]));
    else complete(units, p);
  });
  const rotation = crossTable(p, p, (r, c) =>
    sumOf(order, (axis, i) => units[i][r] * axes[axis][c]),
  );
  return { rotation, strength: sumOf(lengths, (length) => length) };
}

/** Rotate two columns, and their axes, so that they are orthogonal; return false if they were. */
function orthogonalise(columns: Matrix[], axes: Matrix[], a: number, b: number): boolean {
  const [u, v] = [columns[a], columns[b]];
  const [uu, vv, uv] = [dot(u, u), dot(v, v), dot(u, v)];
  if (uv === 0 || Math.abs(uv) <= EPS * Math.sqrt(uu * vv)) return false;
  const half = (vv - uu) / (2 * uv);
  const tangent = (half < 0 ? -1 : 1) / (Math.abs(half) + Math.sqrt(half * half + 1));
  const cosine = 1 / Math.sqrt(tangent * tangent + 1);
  for (const vectors of [columns, axes]) {
    const [old, other] = [vectors[a], vectors[b]];
    vectors[a] = old.map((x, i) => cosine * (x - tangent * other[i]));
    vectors[b] = other.map((x, i) => cosine * (x + tangent * old[i]));
  }
  return true;
}

/** Append a unit vector that is orthogonal to the others. */
function complete(units: Matrix[], p: number) {
  const left = Array.from({ length: p }, (_, axis) => {
    const rest = Float64Array.from({ length: p }, (_, r) => Number(r === axis));
    for (let pass = 0; pass < 2; pass++) {
      for (const unit of units) {
        const part = dot(unit, rest);
        for (let i = 0; i < p; i++) rest[i] -= part * unit[i];
      }
    }
    return rest;
  }).reduce((best, rest) => (dot(rest, rest) > dot(best, best) ? rest : best));
  const length = Math.sqrt(dot(left, left));
  units.push(left.map((x) => x / length));
}
