// The shapes of tables: square matrices and their triangles, and objects by variables.

import { plural } from "../ui/text.js";
import { Misfit } from "./cells.js";
import { alike, withZeros } from "./squares.js";

const differ = (cells) => new Set(cells).size === cells.length;
const isSame = (a, b) => a.length === b.length && a.every((name, i) => name === b[i]);

/** Whether the names of rows and columns are those of the same objects, but for one in each. */
function agrees(names, head) {
  if (isSame(names, head)) return names.length > 1 && !names.includes("");
  const all = new Set([...names, ...head]);
  const more = { 0: 1, 1: 0 }[Math.abs(names.length - head.length)];
  const isNear = all.size <= Math.max(names.length, head.length) + more && all.size > 2;
  return isNear && !all.has("") && differ(names) && differ(head);
}

/** Whether the upper and the lower half of a square matrix are empty. */
const emptyHalves = (table) =>
  [1, -1].map((half) =>
    table.every((row, i) => row.every((x, j) => half * (j - i) <= 0 || Number.isNaN(x))),
  );

/** Fill the half of a square matrix that was left empty from the other, and an empty diagonal. */
function completed(table) {
  const [upper, lower] = emptyHalves(table);
  const isEmpty = (i, j) => i !== j && (j > i ? upper : lower);
  const whole = table.map((row, i) => row.map((x, j) => (isEmpty(i, j) ? table[j][i] : x)));
  return whole.every((row, i) => Number.isNaN(row[i])) ? withZeros(whole) : whole;
}

/** Whether numbers are a symmetric matrix of three or more objects with zeros on the diagonal. */
function isDistance(numbers) {
  const n = numbers.length;
  const whole = n > 2 && numbers.every((row) => row.length === n) ? completed(numbers) : [[]];
  return whole.every((row, i) => row[i] === 0 && row.every((x, j) => alike(x, whole[j][i])));
}

/** Whether rows are such a matrix from some column on. */
const isDistanceFrom = (rows, num, from) =>
  isDistance(rows.map(({ cells }) => cells.slice(from).map((cell) => num(cell) ?? NaN)));

const MEASURED = /^[^\w\s.,-]?\s?[-+]?\d[\d.,]*\s?\D{0,5}$/;

/** How many columns the head of some rows is shifted by, or null where the rows have no head. */
function headOf([{ cells: first }, ...body], num) {
  const names = body.map(({ cells }) => cells[0]);
  const width = body.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const isWord = (cell) => cell !== "" && num(cell) === null && !/^[-+]?[\d.,]+$/.test(cell);
  if (names.length > 1 && isSame(names, first)) return 1;
  if (width > 1 && first.length === width - 1)
    return first.some(isWord) || agrees(names, first) ? 1 : null;
  if ((first[0] === "" || isWord(first[0])) && agrees(names, first.slice(1))) return 0;
  if (first.length !== width) return null;
  const isNumber = (cell = "") => num(cell) !== null || MEASURED.test(cell);
  const numbers = (c) => body.filter(({ cells }) => isNumber(cells[c])).length;
  const isTitled = first.some((cell, c) => isWord(cell) && 2 * numbers(c) > body.length);
  const isYear = (cell) => first[0] === "" || /^(1[5-9]|20)\d\d$/.test(cell);
  const isYears = first.slice(1).every(isYear) && names.every(isWord);
  return isTitled || (differ(first) && (isYears || isDistanceFrom(body, num, 0))) ? 0 : null;
}

/** Rows with empty cells where a triangle or a diagonal is not given. Throws at an odd line. */
function aligned(rows, width, isNamed, titles) {
  const [names, counts] = [
    rows.map(({ cells }) => cells[0]),
    rows.map(({ cells }) => cells.length),
  ];
  const [first, step] = [counts[0], Math.sign(counts[1] - counts[0])];
  const even = { by: 0, at: -1, layout: "a table with rows of equal length" };
  const slope = { by: step, at: -1, layout: "a triangle of a matrix" };
  for (const each of [even, slope])
    each.at = counts.findIndex((count, r) => count !== first + each.by * r);
  const widened = (placeOf) =>
    rows.map(({ line, cells }, r) => {
      const empty = Array(width - cells.length).fill("");
      return { line, cells: cells.toSpliced(placeOf(cells, r), 0, ...empty) };
    });
  const isLike = isSame(names, titles);
  if (even.at < 0 && first === width) return rows;
  if (even.at < 0 && isLike) return widened((_, r) => r + 1);
  const [later, sooner] = step > 0 ? [names, titles] : [titles, names];
  const isNext = isSame(later.slice(0, -1), sooner.slice(1));
  if (
    slope.at < 0 &&
    (!isNamed || isLike || isNext) &&
    Math.min(first, counts.at(-1)) <= 1 + isNamed
  )
    return widened((cells) => (step > 0 ? cells.length : Number(isNamed)));
  const { at, by, layout } = slope.at > even.at && first + slope.at * step > 0 ? slope : even;
  const [line, expected] = at < 0 ? [0, width] : [at, first + at * by];
  const why = `it has ${plural(counts[line], "value")}, and ${expected} are expected`;
  throw new Misfit(rows[line].line, why, layout);
}

// Over a column of whole numbers that identify the rows and measure nothing.
const TITLES =
  "row|index|rownames|unnamed: 0|case|subject|participant|respondent|person|vp|site|plot|sample";
const ROW_TITLE = new RegExp(String.raw`^(|#|(.*[ _-])?(id|nr|no|code)\.?|${TITLES})$`, "i");
const UNIT = /^[[(].*[\])]$|^$/;

/** Rows without the empty cells at their ends, unless those below a head have equal lengths. */
function cutRows(rows, num) {
  const ends = rows.map(({ cells }) => cells.findLastIndex(Boolean) + 1);
  const most = ends.reduce((longest, end) => Math.max(longest, end), 0);
  const cut = (of) => rows.map(({ line, cells }, r) => ({ line, cells: cells.slice(0, of(r)) }));
  const [even, short] = [cut(() => most), cut((r) => ends[r])];
  if (even.every(({ cells }, r) => r < 2 || cells.length === even[1].cells.length)) return even;
  const isStair = short.every(({ cells }, r) => cells.length === r + 1 && num(cells[r]) === null);
  const turned = ({ line, cells }) => ({ line, cells: [cells.at(-1), ...cells.slice(0, -1)] });
  return isStair ? short.map(turned) : short;
}

/** The names above columns; numbers that stand before the names of rows are replaced by these. */
function titlesOf(first, body) {
  const isNumber = (cell, r) => body[r]?.cells[0].startsWith(`${cell}. `);
  const isNumbered = first.length > 2 && first.slice(1).every(isNumber);
  return isNumbered ? [first[0], ...body.map(({ cells }) => cells[0])] : first;
}

/** Names, words and numbers in rows: which columns are what, and what is above them. */
export function columnsOf(given, num) {
  const rows = cutRows(given, num);
  const first = { line: rows[0].line, cells: titlesOf(rows[0].cells, rows.slice(1)) };
  const shift = headOf([first, ...rows.slice(1)], num);
  const isUnits = rows.length > 2 && rows[1].cells.every((cell) => UNIT.test(cell));
  const [head, body] = shift === null ? [null, rows] : [first.cells, rows.slice(1 + isUnits)];
  if (body.length < 2) throw new Misfit(rows.at(-1).line, "a second row of values is expected");
  const width = body.reduce(
    (most, { cells }) => Math.max(most, cells.length),
    head ? head.length + shift : 0,
  );
  const title = (c) => head?.[c - shift] ?? "";
  const isWordy = (cell, c) => cell && num(cell) === null && !(c && MEASURED.test(cell));
  const isText = (from, c) => {
    const cells = from.map((row) => row.cells[c]).filter(Boolean);
    const words = cells.filter((cell) => isWordy(cell, c)).length;
    return words > 0 && 2 * words >= cells.length;
  };
  const names = body.map(({ cells }) => cells[0]);
  const isCounted = ROW_TITLE.test(title(0)) && names.every((cell) => /^\d+$/.test(cell));
  const isWords = names.every((cell) => num(cell) === null);
  const titles = head ? head.slice(1 - shift) : isWords ? names : [];
  const isBefore = head
    ? shift === 1 || isCounted || agrees(names, titles) || /^names?$/i.test(title(0))
    : differ(names) && isDistanceFrom(body, num, 1);
  const isNamed = (width > 1 && isBefore) || isText(body, 0);
  const all = aligned(body, width, isNamed, titles);
  const texts = Array.from({ length: width }, (_, c) =>
    c ? all === body && isText(body, c) : isNamed,
  );
  for (const { line, cells } of all) {
    const odd = cells.find((cell, c) => !texts[c] && num(cell) === null);
    const why = `\u201c${odd?.slice(0, 40)}\u201d is not a number`;
    if (odd !== undefined) throw new Misfit(line, why, "a table with rows of equal length");
  }
  const [wordy, numeric] = [true, false].map((is) =>
    texts.flatMap((isWords, c) => (isWords === is ? [c] : [])),
  );
  const isTriangle = all !== body;
  const lines = all.map(({ line }) => line);
  return { rows: all.map(({ cells }) => cells), lines, wordy, numeric, title, isTriangle };
}

/** Names and colours from the columns of words: names differ, a colour belongs to several rows. */
function wordsOf({ rows, wordy, title }) {
  const columns = wordy.map((c) => ({
    title: title(c) || `column ${c + 1}`,
    cells: rows.map((row) => row[c].slice(0, 80)),
  }));
  const kinds = ({ cells }) => new Set(cells).size;
  const distinct = columns.filter((each) => kinds(each) > 0.8 * rows.length || rows.length < 4);
  const named = distinct.find(({ cells }) => /\p{L}/u.test(cells[0])) ?? distinct[0];
  const texts = columns.filter((column) => column !== named);
  const isGroup = (count) => count > 1 && count <= 24 && count < rows.length;
  const group = texts.find((column) => isGroup(kinds(column))) ?? null;
  return { names: named?.cells ?? null, group, texts };
}

/** The square matrix of all objects whose names are before the rows or above the columns. */
function squareByNames({ rows, lines, wordy }, titles, numbers, words) {
  const first = rows.map((row) => row[wordy[0]]);
  const all = first.includes(titles[0]) ? [...first, ...titles] : [...titles, ...first];
  const names = isSame(first, titles) ? first : [...new Set(all)];
  const [before, above] = [first, titles].map((own) => new Map(own.map((name, at) => [name, at])));
  const entry = (a, b) => numbers[before.get(a)]?.[above.get(b)] ?? NaN;
  const given = names === first ? numbers : names.map((a) => names.map((b) => entry(a, b)));
  const extra = first.findIndex((name) => !above.has(name));
  if (extra >= 0 && !emptyHalves(given).includes(true))
    throw new Misfit(lines[extra], `there is no column for \u201c${first[extra]}\u201d`);
  const texts = words.texts.filter(({ cells }) => !isSame(cells, first));
  const beside = names.length === rows.length ? { ...words, texts } : {};
  return { ...beside, names, table: completed(given), isSquare: true };
}

/** Numbers by their places as a square matrix; a triangle may lack an empty row or column. */
function squareByPlaces(numbers) {
  const [n, width] = [numbers.length, numbers[0].length];
  const empty = Array(width).fill(NaN);
  if (n === width) return numbers;
  if (n === width + 1)
    return squareByPlaces(numbers[0].map((_, c) => numbers.map((row) => row[c])));
  const isOpen = (table) => table.every((row, i) => Number.isNaN(row[i]));
  const isHalf = (table) => isOpen(table) && emptyHalves(table).includes(true);
  const ways =
    n === width - 1
      ? [
          [...numbers, empty],
          [empty, ...numbers],
        ]
      : [];
  return ways.find(isHalf) ?? null;
}

/** Whether the last numbers of the rows of a triangle are equal, and so its diagonal. */
function endsOnDiagonal(whole) {
  const isEnd = (x) => x === whole[0][0];
  return whole.every((row, i) => isEnd(row[i]) && (isEnd(0) || row.every((x) => !(x > row[i]))));
}

/**
 * The table in columns: a square matrix, or objects by variables. A triangle without names has its
 * diagonal or not, as the option says; isWhole is what was taken where both are possible.
 */
export function tableIn(columns, num, { diagonal, names: given }) {
  const { rows, wordy, numeric, title, isTriangle } = columns;
  const numbers = rows.map((row) => numeric.map((c) => num(row[c])));
  const [titles, words] = [numeric.map(title), wordsOf(columns)];
  const [isTitled, firsts] = [titles.every(Boolean), rows.map((row) => row[wordy[0]])];
  const points = { ...words, table: numbers, columns: titles };
  if (wordy.length && agrees(firsts, titles))
    return { ...squareByNames(columns, titles, numbers, words), points };
  const square = squareByPlaces(numbers);
  if (!square || (wordy.length && !isTriangle && isTitled && !isDistance(numbers))) return points;
  const isWhole = diagonal ?? (Boolean(words.names) || endsOnDiagonal(completed(square)));
  const isOpen = isTriangle && square === numbers && !isTitled;
  const isUpper = emptyHalves(square)[1];
  const wider = (row) => (isUpper ? [NaN, ...row] : [...row, NaN]);
  const table = completed(isOpen && !isWhole ? squareByPlaces(square.map(wider)) : square);
  const n = table.length;
  const more = isUpper
    ? [...(words.names ?? []), `object ${n}`]
    : ["object 1", ...(words.names ?? [])];
  const known = [given, words.names, words.names && more, isTitled && titles];
  const isAsked = isOpen && diagonal === undefined && square.some((row, i) => row[i]);
  return {
    ...words,
    names: known.find((names) => names?.length === n) ?? null,
    table,
    isSquare: true,
    isByPlace: !isTriangle && !given,
    points,
    isWhole: isAsked ? isWhole : undefined,
  };
}

/** What a matrix is: dissimilarities, similarities, or points with as many columns. */
export function kindOf(table, isByPlace) {
  const diagonal = table.map((row, i) => row[i]);
  const zeros = diagonal.filter((x) => !x).length;
  if (zeros === table.length) return "dissimilarities";
  const lower = table.flatMap((row, i) => row.slice(0, i));
  const isOdd = (x, y) => !Number.isNaN(x) && !alike(x, y);
  const odd = table.flatMap((row, i) => row.filter((x, j) => j < i && isOdd(x, table[j][i])));
  if (isByPlace && 2 * odd.length >= lower.length) return "points";
  const known = lower.filter(Number.isFinite);
  const [least, most] = [Math.min, Math.max].map((of) => known.reduce((a, b) => of(a, b)));
  const isNearZero = diagonal.every((x) => x >= 0 && x <= least && x < most);
  return 2 * zeros > table.length || isNearZero ? "dissimilarities" : "gram";
}
