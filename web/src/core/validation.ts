// Checks of tables of dissimilarities and similarities, with messages similar to the library's.

import type { Entry, Names, Numbers } from "./matrix.ts";
import { EPS, LARGEST, largestModulus, SMALLEST, symmetricTable } from "./matrix.ts";

/** What is wrong with a table, and the indices [i, j] if it is one entry. */
export type Fault = { sentence: string; entry: number[] | null };
type EntryName = (i: number, j: number) => string;

const SYMMETRY_TOLERANCE = Math.sqrt(EPS);

/** Write a number with six digits, as Python's format .6g does. */
export function sixDigits(value: number) {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  const [mantissa, exponent] = value.toExponential(5).split("e");
  const power = Number(exponent);
  const trimmed = (text: string) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  if (power >= -4 && power < 6) return trimmed(value.toFixed(5 - power));
  return `${trimmed(mantissa)}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

/** Return the largest absolute value in a table. */
const sizeOf = (table: Numbers[]) => largestModulus(table.map(largestModulus));

/** Return the highest entry of a square matrix and the indices of the first such entry. */
function highestEntry(n: number, entry: Entry) {
  let best = entry(0, 0);
  let place: [number, number] = [0, 0];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const found = entry(i, j);
      if (found <= best) continue;
      best = found;
      place = [i, j];
    }
  }
  return { best, place };
}

/** Return what is wrong with the shape or the entries of a square matrix, or null. */
function checkSquare(table: Numbers[], name: string, entryName: EntryName): Fault | null {
  const [n, columns] = [table.length, table[0]?.length ?? 0];
  const fault = (words: string) => ({ sentence: `${name} ${words}`, entry: null });
  if (table.some((row) => row.length !== columns)) {
    return fault("is ragged: its rows have different lengths. Give rows of equal length.");
  }
  if (n !== columns) {
    const needed = "a square matrix with one row and one column for each object is needed.";
    return fault(`has shape (${n}, ${columns}); ${needed}`);
  }
  if (n < 2) return fault(`has shape (${n}, ${n}): give at least 2 objects.`);
  const bad = table.flatMap((row, i) =>
    Array.from(row, (_, j) => [i, j]).filter(([, j]) => !Number.isFinite(row[j])),
  );
  if (bad.length) {
    const [i, j] = bad[0];
    const such = `${bad.length} such ${bad.length === 1 ? "entry" : "entries"} in all`;
    const found = `${entryName(i, j)} is ${sixDigits(table[i][j])} (${such})`;
    const advice = "Remove those rows or fill in the missing values first.";
    return { sentence: `${found}; every entry must be a finite number. ${advice}`, entry: [i, j] };
  }
  return null;
}

/** Return what is wrong with the largest entry, or null; inner products have the `power` 2. */
export function checkRange(table: Numbers[], name: string, power = 1): Fault | null {
  const size = sizeOf(table);
  const [smallest, largest] = [SMALLEST ** power, LARGEST ** power];
  if (size === 0 || (size >= smallest && size <= largest)) return null;
  const range = `outside the range from ${sixDigits(smallest)} to ${sixDigits(largest)}`;
  const shown = sixDigits(Number(size.toPrecision(3)));
  const sentence = `The largest entry of ${name} is ${shown} in size, ${range}. Choose another unit.`;
  return { sentence, entry: null };
}

function checkSymmetry(table: Numbers[], name: string, entryName: EntryName, size: number) {
  const gap = highestEntry(table.length, (i, j) => Math.abs(table[i][j] - table[j][i]));
  if (gap.best <= SYMMETRY_TOLERANCE * size) return null;
  const [i, j] = gap.place;
  const sentence =
    `${name} is not symmetric: ${entryName(i, j)} = ${sixDigits(table[i][j])} but ` +
    `${entryName(j, i)} = ${sixDigits(table[j][i])}. If both directions were measured, ` +
    `average them: (${name} + ${name}.T) / 2.`;
  return { sentence, entry: [i, j] };
}

/** Return a function that writes an entry with its indices, or with the names of its objects. */
const namedBy =
  (name: string, names: Names): EntryName =>
  (i, j) =>
    `${name}[${names ? `${names[i]}, ${names[j]}` : `${i}, ${j}`}]`;

/** Return what is wrong with a dissimilarity matrix, or null; `names` are those of the objects. */
export function checkDissimilarities(table: Numbers[], names: Names = null): Fault | null {
  const entryName = namedBy("D", names);
  const wrong = checkSquare(table, "D", entryName) ?? checkRange(table, "D");
  if (wrong) return wrong;
  const n = table.length;
  const highest = highestEntry(n, (i, j) => table[i][j]).best;
  const { best, place } = highestEntry(n, (i, j) => -table[i][j]);
  if (best > SYMMETRY_TOLERANCE * Math.max(0, highest)) {
    const found = `${entryName(...place)} = ${sixDigits(-best)} is negative`;
    const advice = "If these are similarities, convert them first: d_ij^2 = c_ii + c_jj - 2 c_ij.";
    return { sentence: `${found}; dissimilarities are at least 0. ${advice}`, entry: place };
  }
  const diagonal = highestEntry(n, (i, j) => (i === j ? table[i][i] : -Infinity));
  if (diagonal.best > SYMMETRY_TOLERANCE * highest) {
    const found = `${entryName(...diagonal.place)} = ${sixDigits(diagonal.best)}`;
    const advice = "Set the diagonal to 0, or check that D holds dissimilarities.";
    const sentence = `${found}, but an object is at distance 0 from itself. ${advice}`;
    return { sentence, entry: diagonal.place };
  }
  return checkSymmetry(table, "D", entryName, highest);
}

/** Return what is wrong with a matrix of similarities, or null. */
export function checkGram(table: Numbers[], names: Names = null): Fault | null {
  const entryName = namedBy("K", names);
  const wrong = checkSquare(table, "K", entryName) ?? checkRange(table, "K", 2);
  return wrong ?? checkSymmetry(table, "K", entryName, sizeOf(table));
}

/** Remove rounding errors: return a matrix that is exactly symmetric, with a zero diagonal. */
export function asDissimilarities(table: Numbers[]) {
  return symmetricTable(table.length, (i, j) =>
    i === j ? 0 : Math.max(0, 0.5 * table[i][j] + 0.5 * table[j][i]),
  );
}
