// Why a text is rejected, and why a table cannot be mapped.

import { largestModulus } from "../core/matrix.js";
import { checkDissimilarities, checkGram, checkRange, sixDigits } from "../core/validation.js";
import { Misfit } from "./cells.js";
import { MOST } from "./limits.js";

/** What is wrong with a table of points, in the library's words, or null. */
function checkPointTable(table, names, columns) {
  const place = (i, j) => `X[${names?.[i] ?? i}, ${columns[j] || j}]`;
  for (let i = 0; i < table.length; i++) {
    for (let j = 0; j < table[i].length; j++) {
      if (Number.isFinite(table[i][j])) continue;
      const sentence =
        `${place(i, j)} is ${sixDigits(table[i][j])}; every entry must be a finite number. ` +
        "Remove those rows or fill in the missing values first.";
      return { sentence, entry: [i, j] };
    }
  }
  return checkRange(
    table.reduce((size, row) => Math.max(size, largestModulus(row)), 0),
    "X",
  );
}

/** Texts that are rejected before any line is read, and why. */
const REFUSED = [
  [/^\s*$/, "The text is empty. Paste a table, or choose a file or a sample."],
  [/\bROWTYPE_/i, "This is a matrix file of SPSS. Paste the matrix alone, with its names."],
  [/Sig\. \(\d-tailed\)/, "Leave out the lines Sig. and N of SPSS, and the words before them."],
  [/^\s*'data.frame':/, "This is what str() prints. Print the table itself."],
  [/^\s*[=@]\w/, "The cells contain formulas. Paste their values."],
  [
    /^\s*<(!doctype|html|table|\?xml|[a-z]+[\s>])/i,
    "This is HTML or XML, not a table of numbers. Copy the cells from the page as you see it, " +
      "or save them as CSV.",
  ],
];

/** Reject the whole text with a sentence, if there is one. */
export function refuse(sentence) {
  if (sentence) throw new Misfit(Infinity, sentence);
}

/** Reject a text before any line is read. */
export function checkText(text) {
  const millions = MOST.characters / 1e6;
  const long =
    `The text has more than ${millions} million characters and was not read. Round its numbers, ` +
    "or take a part of it.";
  refuse(text.length > MOST.characters && long);
  refuse(REFUSED.find(([mark]) => mark.test(text))?.[1]);
}

/** Reject columns without numbers, or with more than the laboratory takes. */
export function checkColumns({ rows, numeric }) {
  const count = numeric.length;
  const wide = `The table has ${count} columns of numbers, which are more than ${MOST.columns}.`;
  refuse(!count && "No numbers were found. Choose one of the layouts above to see an example.");
  refuse(count > MOST.columns && rows.length !== count && wide);
}

/** Reject more objects than the laboratory takes. */
export function checkCount(count) {
  const long =
    `The table has ${count} objects; the laboratory takes up to ${MOST.objects} objects. Take a ` +
    "part of them, or use kmds_lib, which takes more.";
  refuse(count > MOST.objects && long);
}

/** The reading of a text that was rejected. */
export function failed(sentence) {
  const nothing = { kind: null, table: [], names: null, groups: null, columns: [], texts: [] };
  return { ...nothing, notes: [], changes: [], again: [], wrong: { sentence, entry: null } };
}

/** Why a table cannot be mapped: the sentence and the entry that it names, or null. */
export function faultOf(kind, table, names, columns) {
  if (kind === "points") return checkPointTable(table, names, columns);
  return (kind === "gram" ? checkGram : checkDissimilarities)(table, names);
}
