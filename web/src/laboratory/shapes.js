// The shapes of tables: square matrices and their triangles, and objects by variables.

import { plural } from "../ui/text.js";
import { areDistinct, areEqual, Misfit, rowOf } from "./cells.js";
import { isClose, withZeroDiagonal } from "./squareTables.js";

const longest = (rows) => rows.reduce((most, { length }) => Math.max(most, length), 0);

/** Return true if rows and columns have the same names, except for one name in each. */
function haveSameNames(names, head) {
  if (areEqual(names, head)) return names.length > 1 && !names.includes("");
  const [all, gap] = [new Set([...names, ...head]), Math.abs(names.length - head.length)];
  const isNear = gap < 2 && 2 * all.size <= names.length + head.length + 2 - gap && all.size > 2;
  return isNear && !all.has("") && areDistinct(names) && areDistinct(head);
}

/** Return true if the upper half of a square matrix is empty, or the lower half for -1. */
const isEmpty = (table, half = 1) =>
  table.every((row, i) => row.every((x, j) => half * (j - i) <= 0 || Number.isNaN(x)));
const isHalf = (table) => isEmpty(table) || isEmpty(table, -1);

/** Fill an empty half of a square matrix from the other half, and an empty diagonal with zeros. */
function withBothHalves(table) {
  const [upper, lower] = [isEmpty(table), isEmpty(table, -1)];
  const isOther = (i, j) => i !== j && (j > i ? upper : lower);
  const whole = table.map((row, i) => row.map((x, j) => (isOther(i, j) ? table[j][i] : x)));
  return whole.every((row, i) => Number.isNaN(row[i])) ? withZeroDiagonal(whole) : whole;
}

/** Return true if rows are a distance matrix of at least three objects, from a column on. */
function isDistance(rows, toNumber, from = 0) {
  const numbers = rows.map((row) => row.slice(from).map((cell) => toNumber(cell) ?? NaN));
  if (rows.length < 3 || numbers.some((row) => row.length !== rows.length)) return false;
  const whole = withBothHalves(numbers);
  return whole.every((row, i) => row[i] === 0 && row.every((x, j) => isClose(x, whole[j][i])));
}

const MEASURED = /^[^\w\s.,-]?\s?[-+]?\d[\d.,]*\s?\D{0,5}$/;

/** Return by how many columns the titles are shifted, or null if the first row has no titles. */
function titleShift([first, ...body], toNumber) {
  const [names, width] = [body.map(([name]) => name), longest(body)];
  const isWord = (cell) => cell !== "" && toNumber(cell) === null && !/^[-+]?[\d.,]+$/.test(cell);
  if (names.length > 1 && areEqual(names, first)) return 1;
  if (width > 1 && first.length === width - 1)
    return first.some(isWord) || haveSameNames(names, first) ? 1 : null;
  if ((first[0] === "" || isWord(first[0])) && haveSameNames(names, first.slice(1))) return 0;
  if (first.length !== width) return null;
  const isNumber = (cell = "") => toNumber(cell) !== null || MEASURED.test(cell);
  const numbers = (c) => body.filter((row) => isNumber(row[c])).length;
  const isTitled = first.some((cell, c) => isWord(cell) && 2 * numbers(c) > body.length);
  const isYear = (cell) => first[0] === "" || /^(1[5-9]|20)\d\d$/.test(cell);
  const isYears = first.slice(1).every(isYear) && names.every(isWord);
  return isTitled || (areDistinct(first) && (isYears || isDistance(body, toNumber))) ? 0 : null;
}

/** Insert empty cells where a triangle or a diagonal is not given; throw at a row that is odd. */
function withEmptyCells(rows, width, isNamed, titles) {
  const [names, counts] = [rows.map(([name]) => name), rows.map(({ length }) => length)];
  const [first, step] = [counts[0], Math.sign(counts[1] - counts[0])];
  const oddAt = (by) => counts.findIndex((count, r) => count !== first + by * r);
  const [even, slope] = [oddAt(0), oddAt(step)];
  if (even < 0 && first === width) return rows;
  const filled = (placeOf) =>
    rows.map((row, r) => {
      const empty = Array(width - row.length).fill("");
      return rowOf(row.line, row.toSpliced(placeOf(row, r), 0, ...empty));
    });
  const isLike = areEqual(names, titles);
  if (even < 0 && isLike && rows.length > 2) return filled((_, r) => r + 1);
  const isKnown = !isNamed || haveSameNames(names, titles);
  if (step && slope < 0 && isKnown && Math.min(first, counts.at(-1)) <= 1 + isNamed)
    return filled((row) => (step > 0 ? row.length : Number(isNamed)));
  const isTriangle = slope > even && first + slope * step > 0;
  const [at, by] = isTriangle ? [slope, step] : [Math.max(0, even), 0];
  const expected = even < 0 ? width : first + at * by;
  const why = `it has ${plural(counts[at], "value")}, and ${expected} are expected`;
  const layout = isTriangle ? "a triangle of a matrix" : "a table with rows of equal length";
  throw new Misfit(rows[at].line, why, layout);
}

/** Cut off empty cells at the ends of rows, unless the rows below the first have equal lengths. */
function cutRows(rows, toNumber) {
  const short = rows.map((row) => rowOf(row.line, row.slice(0, row.findLastIndex(Boolean) + 1)));
  // A triangle without its empty first row needs its empty last column.
  const isLonger = (row) =>
    row.length === rows.length + 1 && row.every((cell) => toNumber(cell) !== null);
  const width = rows.every(isLonger) ? rows.length + 1 : longest(short);
  const even = rows.map((row) => rowOf(row.line, row.slice(0, width)));
  if (even.every((row, r) => r < 2 || row.length === even[1].length)) return even;
  const isStair = short.every((row, r) => row.length === r + 1 && toNumber(row[r]) === null);
  return isStair ? short.map((row) => rowOf(row.line, [row.at(-1), ...row.slice(0, -1)])) : short;
}

/** Return the titles of columns; numbers that also number the names of rows become these names. */
function titlesOf([first, ...body]) {
  const isNumber = (cell, r) => body[r]?.[0].startsWith(`${cell}. `);
  const isNumbered = first.length > 2 && first.slice(1).every(isNumber);
  return isNumbered ? [first[0], ...body.map(([name]) => name)] : first;
}

// Over a column of whole numbers that identify the rows and measure nothing.
const TITLES =
  "row|index|rownames|unnamed: 0|case|subject|participant|respondent|person|vp|site|plot|sample";
const COUNTED = new RegExp(String.raw`^(|#|(.*[ _-])?(id|nr|no|code)\.?|${TITLES})$`, "i");

/** Return which columns contain names, words and numbers, and the title of each. */
export function columnsOf(given, toNumber) {
  const rows = cutRows(given, toNumber);
  const first = titlesOf(rows);
  const shift = titleShift([first, ...rows.slice(1)], toNumber);
  const isUnits = rows.length > 2 && rows[1].every((cell) => /^([[(].*[\])])?$/.test(cell));
  const [head, body] = shift === null ? [null, rows] : [first, rows.slice(1 + isUnits)];
  if (body.length < 2) throw new Misfit(rows.at(-1).line, "a second row of values is expected");
  const names = body.map(([name]) => name);
  const title = (c) => head?.[c - shift] ?? "";
  const isCounted = COUNTED.test(title(0)) && names.every((name) => /^\d+$/.test(name));
  const isWords = names.every((name) => toNumber(name) === null);
  const titles = head ? head.slice(1 - shift) : isWords ? names : [];
  const isBefore = head
    ? shift === 1 || isCounted || haveSameNames(names, titles) || /^names?$/i.test(title(0))
    : areDistinct(names) && isDistance(body, toNumber, 1);
  const isText = (c) => {
    const cells = body.map((row) => row[c]).filter(Boolean);
    const words = cells.filter((cell) => toNumber(cell) === null && !(c && MEASURED.test(cell)));
    return words.length > 0 && 2 * words.length >= cells.length;
  };
  const width = Math.max(longest(body), head ? head.length + shift : 0);
  const isNamed = (width > 1 && isBefore) || isText(0);
  const all = withEmptyCells(body, width, isNamed, isWords || body.length > 2 ? titles : []);
  const isTriangle = all !== body;
  const isTextColumn = Array.from(all[0], (_, c) => (c ? !isTriangle && isText(c) : isNamed));
  for (const row of all) {
    const odd = row.find((cell, c) => !isTextColumn[c] && toNumber(cell) === null);
    const why = `\u201c${odd?.slice(0, 40)}\u201d is not a number`;
    if (odd !== undefined) throw new Misfit(row.line, why, "a table with rows of equal length");
  }
  const textColumns = isTextColumn.flatMap((is, c) => (is ? [c] : []));
  const numberColumns = isTextColumn.flatMap((is, c) => (is ? [] : [c]));
  return { rows: all, textColumns, numberColumns, title, isTriangle };
}

/** Return the names, which are distinct, the groups, each with several rows, and all other words. */
function namesAndGroups({ rows, textColumns, title }) {
  const columns = textColumns.map((c) => ({
    title: title(c) || `column ${c + 1}`,
    cells: rows.map((row) => row[c].slice(0, 80)),
  }));
  const kinds = ({ cells }) => new Set(cells).size;
  const distinct = columns.filter((each) => kinds(each) > 0.8 * rows.length || rows.length < 4);
  const named = distinct.find(({ cells }) => /\p{L}/u.test(cells[0])) ?? distinct[0];
  const texts = columns.filter((column) => column !== named);
  const isGroup = (each) => kinds(each) > 1 && kinds(each) <= Math.min(24, rows.length - 1);
  return { names: named?.cells ?? null, group: texts.find(isGroup) ?? null, texts };
}

/** Return the square matrix of the objects that are named before the rows or above the columns. */
function squareByNames(rows, first, titles, numbers) {
  const all = first.includes(titles[0]) ? [...first, ...titles] : [...titles, ...first];
  const names = areEqual(first, titles) ? first : [...new Set(all)];
  const [before, above] = [first, titles].map((own) => new Map(own.map((name, at) => [name, at])));
  const entry = (a, b) => numbers[before.get(a)]?.[above.get(b)] ?? NaN;
  const given = names === first ? numbers : names.map((a) => names.map((b) => entry(a, b)));
  const extra = first.findIndex((name) => !above.has(name));
  if (extra >= 0 && !isHalf(given))
    throw new Misfit(rows[extra].line, `there is no column for \u201c${first[extra]}\u201d`);
  return { names, table: withBothHalves(given) };
}

/** Return numbers without names as a square matrix; a triangle may lack an empty row or column. */
function squareByPlaces(numbers) {
  const [n, width] = [numbers.length, numbers[0].length];
  const empty = Array(width).fill(NaN);
  if (n === width) return numbers;
  if (n > width) return squareByPlaces(numbers[0].map((_, c) => numbers.map((row) => row[c])));
  if (n < width - 1) return null;
  const hasEmptyDiagonal = (table) => table.every((row, i) => Number.isNaN(row[i]));
  const ways = [numbers.concat([empty]), [empty].concat(numbers)];
  return ways.find((table) => hasEmptyDiagonal(table) && isHalf(table)) ?? null;
}

/** Return the table in some columns. `hasDiagonal` is how an ambiguous triangle was read. */
export function tableIn(columns, toNumber, { diagonal, names: givenNames }) {
  const { rows, textColumns, numberColumns, title, isTriangle } = columns;
  const numbers = rows.map((row) => numberColumns.map((c) => toNumber(row[c])));
  const [titles, words] = [numberColumns.map(title), namesAndGroups(columns)];
  const points = { ...words, table: numbers, columns: titles };
  const first = rows.map((row) => row[textColumns[0]]);
  if (textColumns.length && haveSameNames(first, titles)) {
    const square = squareByNames(rows, first, titles, numbers);
    const texts = words.texts.filter(({ cells }) => !areEqual(cells, first));
    const beside = square.names.length === rows.length ? { ...words, texts } : {};
    return { ...beside, ...square, isSquare: true, isCertain: true, points };
  }
  const [square, isTitled] = [squareByPlaces(numbers), titles.every(Boolean)];
  const isOther = textColumns.length && !isTriangle && isTitled && !isDistance(numbers, (x) => x);
  if (!square || isOther) return points;
  const isUnclear = isTriangle && square === numbers && !isTitled;
  const isEqual = square.every((row, i) => Object.is(row[i], square[0][0]));
  const includesDiagonal = diagonal ?? (Boolean(words.names) || isEqual);
  const isUpper = isEmpty(square, -1);
  const wider = square.map((row) => (isUpper ? [NaN, ...row] : [...row, NaN]));
  const table = withBothHalves(isUnclear && !includesDiagonal ? squareByPlaces(wider) : square);
  const [n, own] = [table.length, words.names ?? []];
  const more = isUpper ? [...own, `object ${n}`] : ["object 1", ...own];
  const known = [givenNames, own, own.length ? more : [], isTitled ? titles : []];
  const names = known.find((each) => each?.length === n) ?? null;
  const isAsked = isUnclear && diagonal === undefined && square.some((row, i) => row[i]);
  const hasDiagonal = isAsked ? includesDiagonal : undefined;
  const isCertain = isTriangle || Boolean(givenNames);
  return { ...words, names, table, isSquare: true, isCertain, hasDiagonal, points };
}

/** Return the kind of a square table: dissimilarities, similarities ("gram"), or points. */
export function kindOf(table, isCertain) {
  const diagonal = table.map((row, i) => row[i]);
  const zeros = diagonal.filter((x) => !x).length;
  if (zeros === table.length) return "dissimilarities";
  const lower = table.flatMap((row, i) => row.slice(0, i));
  const isOdd = (x, y) => !Number.isNaN(x) && !isClose(x, y);
  const odd = table.flatMap((row, i) => row.filter((x, j) => j < i && isOdd(x, table[j][i])));
  if (!isCertain && 2 * odd.length >= lower.length) return "points";
  const [known, top] = [lower.filter(Number.isFinite), diagonal.reduce((a, b) => Math.max(a, b))];
  const isBelow = known.every((x) => x >= top) && known.some((x) => x > top);
  const isNearZero = isBelow && diagonal.every((x) => x >= 0);
  return 2 * zeros > table.length || isNearZero ? "dissimilarities" : "gram";
}
