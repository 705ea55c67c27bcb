// What the explorer of the truncated SVD computes and says.

import { eigenpairs } from "../core/eigenpairs.js";
import { crossTable, innerProduct, multiplied, sumOf, symmetricTable } from "../core/matrix.js";
import { text } from "../ui/text.js";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Numbers of so many bits from letters of six. */
export function unpacked(letters, bits, count) {
  const numbers = new Float64Array(count);
  for (let at = 0; at < count * bits; at++) {
    const bit = (LETTERS.indexOf(letters[Math.floor(at / 6)]) >> (5 - (at % 6))) & 1;
    numbers[Math.floor(at / bits)] = 2 * numbers[Math.floor(at / bits)] + bit;
  }
  return numbers;
}

/**
 * A matrix M with n rows as a sum of terms v (v'M), where the v are eigenvectors of a symmetric
 * matrix: `values` are sorted by size. A singular value is the root of an eigenvalue of MM'.
 */
function termsOf(M, A, n, eigenvalueToValue) {
  const pairs = eigenpairs(A, n);
  const found = Array.from(pairs.values, eigenvalueToValue);
  const order = found.map((_, r) => r).sort((a, b) => Math.abs(found[b]) - Math.abs(found[a]));
  const left = crossTable(n, n, (r, i) => pairs.vectors[i * n + order[r]]);
  return {
    M,
    n,
    p: M.length / n,
    left,
    right: multiplied(left, n, M, M.length / n),
    values: order.map((r) => found[r]),
  };
}

/**
 * The picture as products of a column and a row, and the table that was measured on what is seen.
 */
export function prepared({ pixels, seen, shape: [n, p] }) {
  const photo = unpacked(pixels, 12, n * p).map((shade) => shade / 4095);
  const mask = unpacked(seen, 1, n * p);
  const products = (M) => symmetricTable(n, (i, j) => innerProduct(M, i, M, j, p));
  const [all, both] = [products(photo), products(mask)];
  const table = products(photo.map((shade, at) => shade * mask[at])).map(
    (sum, at) => sum / both[at],
  );
  return {
    picture: termsOf(photo, all, n, (value) => Math.sqrt(Math.max(0, value))),
    table: { ...termsOf(table, table, n, Number), truth: all.map((sum) => sum / p) },
  };
}

/** The sum of the terms that are kept. */
function partOf({ left, right, n, p }, kept) {
  const part = new Float64Array(n * p);
  for (const r of kept)
    for (let i = 0; i < n; i++) {
      const weight = left[r * n + i];
      for (let c = 0; c < p; c++) part[i * p + c] += weight * right[r * p + c];
    }
  return part;
}

const apart = (A, B) => Math.sqrt(sumOf(A, (a, at) => (a - B[at]) ** 2));

/** The places that a rule keeps: the largest in size, or the largest positive ones. */
export function keptBy(rule, count, values) {
  const places = Array.from(values.keys());
  return (rule === "positive" ? places.filter((r) => values[r] > 0) : places).slice(0, count);
}

export const isSame = (a, b) => a.length === b.length && a.every((value, at) => value === b[at]);

/** What is kept comes to: its picture, its rank, and its distances to what it stands for. */
export function resultOf(terms, kept) {
  const { M, values, truth } = terms;
  const negative = kept.filter((r) => values[r] < 0);
  const best = keptBy(truth && !negative.length ? "positive" : "size", kept.length, values);
  const part = partOf(terms, kept);
  const points = negative.length
    ? partOf(
        terms,
        kept.filter((r) => values[r] >= 0),
      )
    : part;
  return {
    values,
    kept,
    part,
    best,
    negative: negative.length,
    rank: kept.length,
    isBest: isSame(best, kept),
    size: Math.sqrt(sumOf(M, (m) => m * m)),
    near: apart(part, M),
    least: isSame(best, kept) ? apart(part, M) : apart(partOf(terms, best), M),
    far: truth && apart(part, truth),
    clipped: truth && [apart(points, M), apart(points, truth)],
  };
}

const subscript = (number) => String(number).replace(/./g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]);

/** The banner's words about a sum of products of the picture. */
function ofPicture({ kept, best, rank, isBest, size, near, least }, { n, p }) {
  const percent = (error) => `${text((100 * error) / size, 1)} %`;
  const head = `Rank ${rank}: error ${percent(near)}.`;
  if (rank === 0)
    return { holds: false, head, reason: "Nothing is kept, and the picture is black." };
  if (rank === n) return { holds: true, head, reason: "All are kept: this is the photograph." };
  if (isBest)
    return {
      holds: true,
      head,
      reason:
        `No sum of ${rank} product${rank > 1 ? "s" : ""} is nearer. It takes ` +
        `${rank * (n + p + 1)} numbers; the photograph has ${n * p}.`,
    };
  const missing = best.find((r) => !kept.includes(r)) + 1;
  return {
    holds: false,
    head,
    reason:
      `The ${rank} largest leave ${percent(least)}: you dropped s${subscript(missing)} and ` +
      `kept s${subscript(kept.at(-1) + 1)}.`,
  };
}

/** The banner's words about a part of the table of inner products. */
function ofTable({ rank, negative, isBest, near, far, least, clipped }) {
  const lies = `${text(near)} from the measured, ${text(far)} from the true one`;
  if (negative) {
    const clip = clipped.map((gap) => text(gap)).join(" and ");
    return {
      holds: false,
      head: `No points: ${negative} of the ${rank} are negative.`,
      reason: `The table lies ${lies}. Without the ${negative}: ${clip}.`,
    };
  }
  if (rank === 0) return { holds: false, head: "A table of zeros.", reason: `It lies ${lies}.` };
  const within = `${rank} dimension${rank > 1 ? "s" : ""}`;
  const head = `Points in ${within}.`;
  if (isBest)
    return {
      holds: true,
      head,
      reason: `Their table lies ${lies}. No points in ${within} come nearer to the measured.`,
    };
  return {
    holds: false,
    head,
    reason:
      `Their table lies ${lies}. The ${rank} largest positive lie ${text(least)} from the ` +
      "measured.",
  };
}

/** The banner's words. */
export const rankVerdict = (result, terms) =>
  terms.truth ? ofTable(result) : ofPicture(result, terms);

/** What a bar is called, in words. */
export function barWords(values, at, isKept, ofTable) {
  const name = `${ofTable ? "λ" : "s"}${subscript(at + 1)}`;
  return (
    `${name} = ${text(values[at], Math.abs(values[at]) < 0.1 ? 3 : 2)}, ` +
    `${isKept ? "kept" : "dropped"}`
  );
}
