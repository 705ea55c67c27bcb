// The shapes of tables: square matrices and their triangles, and objects by variables.

import { sumOf } from "../core/matrix.js";
import { Misfit } from "./cells.js";

/** Half of what the two directions differ by. */
export const skewPart = (table) => table.map((row, i) => row.map((x, j) => (x - table[j][i]) / 2));

/** The sum of the squares of all numbers. */
export const squaresOf = (table) => sumOf(table.flat(), (x) => x * x);
export const alike = (x, y) => Math.abs(x - y) <= 1e-6 * Math.abs(x);
const differ = (cells) => new Set(cells).size === cells.length;
const isSame = (a, b) => a.length === b.length && a.every((name, i) => name === b[i]);
const range = (n) => Array.from({ length: n }, (_, i) => i);
export const withZeros = (table) => table.map((row, i) => row.map((x, j) => (i === j ? 0 : x)));

/** Rows with cells put in at a place, which may depend on the row. */
const widened = (rows, place, empty = [""]) =>
  rows.map(({ line, cells }, r) => {
    const [at, more] = [place(cells, r), typeof empty === "function" ? empty(cells) : empty];
    return { line, cells: [...cells.slice(0, at), ...more, ...cells.slice(at)] };
  });

/** The rows of a triangle below `from` lines, with empty cells in its other half; or null. */
function triangleRows(rows, from, num) {
  const isWord = (cell) => num(cell) === null;
  let body = rows.slice(from);
  if (body.length < 2) return null;
  const [first, last] = [body[0].cells.length, body.at(-1).cells.length];
  const step = Math.sign(last - first);
  const shortest = (step > 0 ? body[0] : body.at(-1)).cells;
  if (!step || body.some(({ cells }, r) => cells.length !== first + step * r)) return null;
  const isBehind = body.length > 2 && body.every(({ cells }) => isWord(cells.at(-1)));
  if (isBehind && !body.every(({ cells }) => isWord(cells[0])))
    body = body.map(({ line, cells }) => ({ line, cells: [cells.at(-1), ...cells.slice(0, -1)] }));
  const isNamed = shortest.length === 2 || isWord(shortest[0]);
  const names = body.map(({ cells }) => cells[0]);
  const head = from ? namedHead(rows[0], body).cells : [];
  const isAgreed = agrees(names, head) || agrees(names, head.slice(1));
  const isOdd = from
    ? !isAgreed || !(body.length > 2 || names.every(isWord))
    : !names.every(isWord);
  if (shortest.length > 2 || (isNamed && isOdd)) return null;
  const width = Math.max(first, last, head.length);
  const empty = ({ length }) => Array(width - length).fill("");
  const place = (cells) => (step > 0 ? cells.length : Number(isNamed));
  return widened(body, place, empty);
}

/** The first row that is not as long as the one below the head, nor continues a triangle. */
function oddRow(rows, body) {
  const counts = rows.map(({ cells }) => cells.length);
  const step = counts[1] - counts[0];
  const even = body.find(({ cells }) => cells.length !== body[0].cells.length);
  const odd = counts.findIndex((count, r) => count !== counts[0] + step * r);
  const isTriangle = Math.abs(step) === 1 && rows[odd]?.line > even.line;
  return isTriangle
    ? [rows[odd], counts[0] + step * odd, "a triangle of a matrix"]
    : [even, body[0].cells.length, "a table with rows of equal length"];
}

/** The head of a table in which the numbers before its names stand for them. */
function namedHead({ line, cells }, body) {
  const isNumbered =
    cells.length > 2 &&
    cells.slice(1).every((cell, r) => {
      const [number] = body[r]?.cells[0].match(/^\d+(?=\. )/) ?? [];
      return cell === number;
    });
  return isNumbered
    ? { line, cells: ["", ...cells.slice(1).map((_, r) => body[r].cells[0])] }
    : { line, cells };
}

/** Rows of equal length; a triangle is filled up with empty cells. Throws at the first odd line. */
export function evenRows(all, num) {
  const short = all.map(({ line, cells }) => ({
    line,
    cells: cells.slice(0, cells.findLastIndex(Boolean) + 1),
  }));
  const [first, second, third] = short.map(({ cells }) => cells.length);
  const isIndex = second === 1 && first > 1 && third === first + 1 && num(all[1].cells[0]) === null;
  const rows = isIndex ? short.toSpliced(1, 1) : short;
  if (rows.length < 2) return rows;
  const [whole, below] = [triangleRows(rows, 0, num), triangleRows(rows, 1, num)];
  if (whole) return whole;
  const width = Math.max(...rows.slice(1).map(({ cells }) => cells.length));
  const same = ({ line, cells }) => ({ line, cells: cells.slice(0, Math.max(width, first)) });
  const [top, ...body] = below
    ? [rows[0], ...below]
    : all.filter((_, r) => !(isIndex && r === 1)).map(same);
  if (body.some(({ cells }) => cells.length !== body[0].cells.length)) {
    const [{ line, cells }, count, layout] = oddRow(rows, body);
    throw new Misfit(line, `it has ${cells.length} values, and ${count} are expected`, layout);
  }
  const head = namedHead(top, body);
  const names = body.map(({ cells }) => cells[0]);
  if (body.length !== body[0].cells.length || !isSame(names, head.cells)) return [head, ...body];
  const step = below ? Math.sign(rows.at(-1).cells.length - rows[1].cells.length) : 0;
  const place = (cells, r) => [r + 1, cells.length, 1].at(step);
  return [head, ...widened(body, place)];
}

/** Which half of a square matrix is empty, if one is: [is it the upper, is it the lower]. */
function emptyHalves(table) {
  const isEmpty = (upper) =>
    table.every((row, i) => row.every((x, j) => (upper ? j <= i : j >= i) || Number.isNaN(x)));
  return [isEmpty(true), isEmpty(false)];
}

const isHalf = (table) => emptyHalves(table).includes(true);

/** Fill the half of a square matrix that was left empty from the other, and an empty diagonal. */
function completed(table) {
  const [noUpper, noLower] = emptyHalves(table);
  const isMirrored = (i, j) => noUpper !== noLower && i !== j && noUpper === j > i;
  const whole = table.map((row, i) => row.map((x, j) => (isMirrored(i, j) ? table[j][i] : x)));
  return whole.every((row, i) => Number.isNaN(row[i])) ? withZeros(whole) : whole;
}

/** Whether the names of rows and columns are those of the same objects, but for one in each. */
function agrees(names, head) {
  if (isSame(names, head)) return names.length > 1 && !names.includes("");
  const [all, most] = [new Set([...names, ...head]), Math.max(names.length, head.length)];
  const more = { 0: 1, 1: 0 }[Math.abs(names.length - head.length)];
  const isNear = all.size <= most + more && all.size > 2;
  return isNear && !all.has("") && differ(names) && differ(head);
}

/** The square matrix of all objects whose names are before the rows or above the columns. */
function squareByNames(names, head, numbers) {
  if (isSame(names, head)) return { names, table: completed(numbers) };
  const all = [...new Set(names.includes(head[0]) ? [...names, ...head] : [...head, ...names])];
  const at = (a, b) => numbers[names.indexOf(a)]?.[head.indexOf(b)] ?? NaN;
  const given = all.map((a) => all.map((b) => at(a, b)));
  return { names: all, table: completed(given), isHalf: isHalf(given) };
}

/** Numbers by their places as a square matrix, without an empty row or column; or null. */
function squareByPlaces(numbers) {
  const [n, width] = [numbers.length, numbers[0].length];
  const isEmpty = (cells) => cells.every(Number.isNaN);
  const column = (c) => numbers.map((row) => row[c]);
  const emptyRow = [Array(width).fill(NaN)];
  if (n === width) return numbers;
  if (n === width - 1 && isEmpty(column(0))) return [...numbers, ...emptyRow];
  if (n === width - 1 && isEmpty(column(width - 1))) return [...emptyRow, ...numbers];
  if (n === width + 1 && isEmpty(numbers[0])) return numbers.map((row) => [...row, NaN]);
  if (n === width + 1 && isEmpty(numbers.at(-1))) return numbers.map((row) => [NaN, ...row]);
  return null;
}

/** Whether the last number of each row of a lower triangle is its diagonal. */
function endsOnDiagonal(whole) {
  const ends = whole.map((row, i) => row[i]);
  const others = whole.flatMap((row, i) => row.slice(0, i));
  const isOne = ends.every((end) => end === ends[0]);
  if (isOne && (ends[0] === 0 || others.every((x) => x <= ends[0]))) return true;
  return ends.every((end) => end >= 0) && others.some((x) => x < 0);
}

/** A triangle with its diagonal as one without: of one object more. */
function withoutDiagonal(table) {
  const [lower, empty] = [table.every((row, i) => i === 0 || Number.isFinite(row[0])), [NaN]];
  const more = [...empty, ...table[0].map(() => NaN)];
  return lower
    ? [more, ...table.map((row) => [...row, NaN])]
    : [...table.map((row) => [NaN, ...row]), more];
}

/** Whether numbers are a symmetric matrix of three or more objects with zeros on the diagonal. */
function isDistance(numbers) {
  const n = numbers.length;
  if (n < 3 || numbers.some((row) => row.length !== n)) return false;
  const whole = completed(numbers);
  return whole.every((row, i) => row[i] === 0 && row.every((x, j) => alike(x, whole[j][i])));
}

/** Whether rows are such a matrix from some column on. */
const isDistanceMatrix = (rows, num, from) =>
  isDistance(rows.map(({ cells }) => cells.slice(from).map((cell) => num(cell) ?? NaN)));

/** How many columns the head of some rows is shifted by, or null where the rows have no head. */
function headOf([{ cells: first }, ...body], num) {
  const [width, names] = [body[0]?.cells.length, body.map(({ cells }) => cells[0])];
  const isWord = (cell) => cell !== "" && num(cell) === null && !/^[-+]?[\d.,]+$/.test(cell);
  if (width > 1 && first.length === width - 1)
    return first.some(isWord) || agrees(names, first) ? 1 : null;
  if (first.length !== width) return null;
  const isNumber = (cell) => num(cell) !== null || MEASURED.test(cell);
  const numbers = (c) => body.filter(({ cells }) => isNumber(cells[c])).length;
  const isTitled = first.some((cell, c) => isWord(cell) && 2 * numbers(c) > body.length);
  const isAbove = differ(first) && isDistanceMatrix(body, num, 0);
  const isCornered = (first[0] === "" || isWord(first[0])) && agrees(names, first.slice(1));
  const isYear = (cell) => first[0] === "" || /^(1[5-9]|20)\d\d$/.test(cell);
  const isYears = first.slice(1).every(isYear) && differ(first) && names.every(isWord);
  return isTitled || isCornered || isYears || isAbove ? 0 : null;
}

// Over a column of whole numbers that identify the rows and measure nothing.
const TITLES =
  "row|index|rownames|unnamed: 0|case|subject|participant|respondent|person|vp|site|plot|sample";
const ROW_TITLE = new RegExp(String.raw`^(|#|(.*[ _-])?(id|nr|no|code)\.?|${TITLES})$`, "i");
const UNIT = /^[[(].*[\])]$|^$/;
const MEASURED = /^[^\w\s.,-]?\s?[-+]?\d[\d.,]*\s?\D{0,5}$/;

/** Head, names, words and numbers of rows of equal length: which columns are what. */
export function columnsOf(rows, num) {
  const shift = headOf(rows, num);
  const head = shift === null ? null : rows[0].cells;
  const isUnits = head && rows.length > 2 && rows[1].cells.every((cell) => UNIT.test(cell));
  const body = rows.slice(head ? 1 + isUnits : 0);
  if (body.length < 2) throw new Misfit(rows.at(-1).line, "a second row of values is expected");
  const width = body.at(-1).cells.length;
  if (body[0].cells.length !== width)
    throw new Misfit(
      body[0].line,
      `it has ${body[0].cells.length} values, and the next line has ${width}`,
    );
  const title = (c) => head?.[c - shift] ?? "";
  const firsts = body.map(({ cells }) => cells[0]);
  const isCounted = head && ROW_TITLE.test(title(0)) && firsts.every((cell) => /^\d+$/.test(cell));
  const isBefore = head
    ? shift === 1 || isCounted || /^names?$/i.test(title(0)) || agrees(firsts, head.slice(1))
    : differ(firsts) && isDistanceMatrix(body, num, 1);
  const isText = (c) => {
    const cells = body.map((row) => row.cells[c]).filter(Boolean);
    const isWord = (cell) => num(cell) === null && !(c && MEASURED.test(cell));
    const words = cells.filter(isWord).length;
    return words > 0 && 2 * words >= cells.length;
  };
  const wordy = range(width).filter((c) => (c === 0 && width > 1 && isBefore) || isText(c));
  const numeric = range(width).filter((c) => !wordy.includes(c));
  for (const { line, cells } of body)
    for (const c of numeric)
      if (num(cells[c]) === null) {
        const why = `\u201c${cells[c].slice(0, 40)}\u201d is not a number`;
        throw new Misfit(line, why, "a table with rows of equal length");
      }
  const lines = body.map(({ line }) => line);
  return { rows: body.map(({ cells }) => cells), lines, wordy, numeric, title };
}

/** Names and colours from the columns of words: names differ, a colour belongs to several rows. */
function wordsOf({ rows, wordy, title }) {
  const columns = wordy.map((c) => ({
    title: title(c) || `column ${c + 1}`,
    cells: rows.map((row) => row[c].slice(0, 80)),
  }));
  const kinds = (column) => new Set(column.cells).size;
  const distinct = columns.filter((column) => kinds(column) > 0.8 * rows.length || rows.length < 4);
  const named = distinct.find(({ cells }) => /\p{L}/u.test(cells[0])) ?? distinct[0];
  const texts = columns.filter((column) => column !== named);
  const isGroup = (count) => count > 1 && count <= 24 && count < rows.length;
  const group = texts.find((column) => isGroup(kinds(column))) ?? null;
  return { names: named?.cells ?? null, group, texts };
}

/**
 * The table in columns: a square matrix, or objects by variables. A triangle without names has its
 * diagonal or not, as the option says; isWhole is what was taken where both are possible.
 */
export function tableIn(columns, num, { diagonal, isTriangle, names: given }) {
  const { rows, wordy, numeric, title } = columns;
  const numbers = rows.map((row) => numeric.map((c) => num(row[c])));
  const titles = numeric.map(title);
  const words = wordsOf(columns);
  const points = { ...words, table: numbers, columns: titles };
  const first = wordy.length ? rows.map((row) => row[wordy[0]]) : null;
  if (first && agrees(first, titles)) {
    const square = squareByNames(first, titles, numbers);
    const extra = first.findIndex((name) => !titles.includes(name));
    if (extra >= 0 && !square.isHalf)
      throw new Misfit(columns.lines[extra], `there is no column for \u201c${first[extra]}\u201d`);
    const isComplete = square.names.length === rows.length;
    const beside = isComplete
      ? { ...words, texts: words.texts.filter(({ cells }) => !isSame(cells, first)) }
      : {};
    return { ...beside, ...square, isSquare: true, points };
  }
  const square = squareByPlaces(numbers);
  const isOther = first && !isTriangle && titles.every(Boolean) && !isDistance(numbers);
  if (!square || isOther) return points;
  const isOpen = isTriangle && square === numbers && !titles.every(Boolean);
  const isWhole = diagonal ?? (Boolean(words.names) || endsOnDiagonal(completed(square)));
  const table = completed(isOpen && !isWhole ? withoutDiagonal(square) : square);
  const n = table.length;
  const above = titles.length === n && titles.every(Boolean) ? titles : null;
  const one = [`object ${square[0].every(Number.isFinite) ? n : 1}`];
  const more = words.names && [...(one[0] === "object 1" ? one : []), ...words.names, ...one];
  const named = [given, words.names, more?.slice(0, n), above];
  const own = named.find((names) => names?.length === n) ?? null;
  const isNamed = isTriangle || Boolean(given);
  return {
    ...words,
    names: own,
    table,
    isSquare: true,
    isByPlace: !isNamed,
    points,
    isWhole:
      isOpen && diagonal === undefined && table.some((_, i) => square[i]?.[i]) ? isWhole : null,
  };
}

/** What a matrix is: dissimilarities, similarities, or points with as many columns. */
export function kindOf(table, isByPlace) {
  const n = table.length;
  const diagonal = table.map((row, i) => row[i]);
  const zeros = diagonal.filter((x) => x === 0 || Number.isNaN(x)).length;
  if (zeros === n) return "dissimilarities";
  const isEqual = (x, i, j) => alike(x, table[j][i]) || Number.isNaN(x);
  const equal = table.flatMap((row, i) =>
    row.slice(0, i).filter((x, j) => isEqual(x, i, j)),
  ).length;
  if (isByPlace && 4 * equal <= n * (n - 1)) return "points";
  const lower = table.flatMap((row, i) => row.slice(0, i)).filter(Number.isFinite);
  const [least, most] = [Math.min, Math.max].map((of) => lower.reduce((a, b) => of(a, b)));
  const isNearZero = diagonal.every((x) => x >= 0 && x <= least && x < most);
  return 2 * zeros > n || isNearZero ? "dissimilarities" : "gram";
}
