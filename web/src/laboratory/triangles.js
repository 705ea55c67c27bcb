// Triangles of square matrices: lower or upper, with or without the diagonal, with names before or
// behind the rows, on the diagonal or above, and with or without the empty cells of a spreadsheet.

import { areDistinct, areEqual, rowOf } from "./cells.js";

/** A year, which may name an object. */
export const YEAR = /^(1[5-9]|20)\d\d$/;

/** Return true if rows and columns have the same names, except for one name in each. */
export function haveSameNames(names, head) {
  if (areEqual(names, head)) return names.length > 1 && !names.includes("");
  const [all, gap] = [new Set([...names, ...head]), Math.abs(names.length - head.length)];
  const isNear = gap < 2 && 2 * all.size <= names.length + head.length + 2 - gap && all.size > 2;
  return isNear && !all.has("") && areDistinct(names) && areDistinct(head);
}

/** Return the name of a row, the other cells that are filled, and where they start and end. */
function partsOf(row, place) {
  const filled = row.flatMap((cell, at) => (cell ? [at] : []));
  const name = { first: filled.shift, last: filled.pop }[place]?.call(filled);
  const [start, end] = filled.length ? [filled[0], filled.at(-1) + 1] : [0, 0];
  const isPadded = row.length > Math.max(end, (name ?? -1) + 1);
  return { line: row.line, name: row[name], cells: row.slice(start, end), start, end, isPadded };
}

/** Return 1 if each row has one cell more than the last one, as below a diagonal, -1 or 0. */
function slopeOf(parts, width) {
  const counts = parts.map(({ cells }) => cells.length);
  const [first, slope, last] = [counts[0], counts[1] - counts[0], counts.at(-1)];
  const isStair = counts.every((count, r) => count === first + slope * r);
  if (Math.abs(slope) !== 1 || !isStair || Math.min(first, last) > 1) return 0;
  const filled = parts.filter(({ cells }) => cells.length);
  const isAligned = (side) => filled.every((part) => part[side] === filled[0][side]);
  const isPadded = parts.some((part) => part.isPadded);
  if (parts.length < 3 && isPadded && width <= Math.max(first, last)) return 0;
  const isUpper = isAligned("end") || (isAligned("start") && !isPadded);
  return (slope > 0 ? isAligned("start") : isUpper) ? slope : 0;
}

/** Return the names above the columns of a triangle, none if they are not known, or null. */
function titlesOf(head, names, count, isWord) {
  const [isNamed, above] = [names[0] !== undefined, head?.filter(Boolean)];
  if (!head && isNamed) return !names.every(isWord) ? null : count < names.length ? names : [];
  const isTitled = above?.every(isWord) || above?.every((cell) => YEAR.test(cell));
  if (!isNamed)
    return !head ? [] : isTitled && [0, 1].includes(above.length - count) ? above : null;
  const ways = [above, above.slice(1), above.slice(0, -1)];
  const isEqual = (titles) => areEqual(names, titles);
  return ways.find(isEqual) ?? ways.find((titles) => haveSameNames(names, titles)) ?? null;
}

/** Return the rows of a triangle below a head, with their names at a place, or null. */
function triangleBelow(head, body, place, toNumber) {
  if (body.length < 2) return null;
  const parts = body.map((row) => partsOf(row, place));
  const isWord = (cell) => toNumber(cell) === null;
  const isNamed = place !== "none";
  const slope = slopeOf(parts, Math.max(...body.map(({ length }) => length)) - isNamed);
  if (!slope || parts.some(({ cells }) => cells.some(isWord))) return null;
  const count = Math.max(...parts.map(({ cells }) => cells.length));
  const titles = titlesOf(
    head,
    parts.map(({ name }) => name),
    count,
    isWord,
  );
  if (!titles) return null;
  const own = titles.slice(slope > 0 ? titles.length - body.length : 0);
  const rows = parts.map(({ line, name, cells }, r) => {
    const empty = Array((titles.length || count) - cells.length).fill("");
    const filled = slope > 0 ? [...cells, ...empty] : [...empty, ...cells];
    return rowOf(line, isNamed || titles.length ? [name ?? own[r], ...filled] : filled);
  });
  return titles.length ? [rowOf((head ?? body[0]).line, ["", ...titles]), ...rows] : rows;
}

/** Return the rows of a triangle with all their cells, below its names if they are known. */
export function triangleOf(rows, toNumber) {
  const [first, ...others] = rows;
  const places = ["first", "last", "none"];
  const ways = [
    ...places.map((place) => () => triangleBelow(null, rows, place, toNumber)),
    ...places.map((place) => () => triangleBelow(first, others, place, toNumber)),
  ];
  return ways.reduce((found, way) => found ?? way(), null);
}
