// Reading: rows of cells become a table, names and a sentence that says what they are.

const alike = (x, y) => Math.abs(x - y) <= 1e-6 * Math.abs(x);

const differ = (cells) => new Set(cells).size === cells.length;

/**
 * Whether rows hold a square table from some column on, symmetric or one half of it. A few numbers
 * may be symmetric by chance: of them the diagonal must be constant.
 */
function holdsSquare(rows, from, marks) {
  const n = rows.length;
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0) - from;
  if (n < 3 || width > n || width < n - 1) return false;
  const table = rows.map((row) => rows.map((_, c) => cellNumber(row[from + c] ?? "", marks)));
  if (table.some((row) => row.includes(null))) return false;
  const empty = table.filter((row, i) => Number.isNaN(row[i])).length;
  if (empty && empty < n) return false;
  const half = mirrored(table);
  if (half) return half.every((row) => row.every(Number.isFinite));
  const diagonal = new Set(table.map((row, i) => row[i]));
  const symmetric = table.every((row, i) => row.every((x, j) => i === j || alike(x, table[j][i])));
  return symmetric && (n > 4 || diagonal.size === 1);
}

/** Whether the first row names the columns. */
function hasHead(grid, marks) {
  const words = (cell) => cell !== undefined && cell !== "" && cellNumber(cell, marks) === null;
  const [head, ...rows] = grid;
  if (rows.length === 0) return false;
  const numbers = (row) => row.filter((cell) => cellNumber(cell, marks) !== null && cell !== "").length;
  const alone = head.length === 1 && !isNamedTriangle(grid, marks);
  const told = alone || head.filter((cell) => cell !== "").length > 1;
  if (told && !numbers(head) && rows.some((row) => numbers(row))) return true;
  const shifted = rows.at(-1).length === head.length + 1;
  const cornered = head[0] === "" || words(head[0]);
  const names = shifted ? head : cornered ? head.slice(1) : [];
  const heads = (name, own = "") => own === name || own.startsWith(`${name}. `);
  if (names.length > 1 && names.every((name, r) => heads(name, rows[r]?.[0]))) return true;
  if (differ(head) && holdsSquare(rows, 0, marks)) return true;
  const below = (c) =>
    rows.filter((row) => row[c] !== undefined && cellNumber(row[c], marks) !== null).length;
  return head.some((cell, c) => words(cell) && below(c) > rows.length / 2);
}

// Over a column of whole numbers that tell the rows apart and measure nothing.
const ROW_TITLE =
  /^(|#|(.*[ _-])?(id|nr|no|code)\.?|row|index|rownames|unnamed: 0|case|subject|participant|respondent|person|vp|site|plot|sample)$/i;

/** Head, names, words and numbers of a grid: which columns hold what. */
function columnsOf(grid, marks) {
  const head = hasHead(grid, marks) ? grid[0] : null;
  const rows = head ? grid.slice(1) : grid;
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const shift = head && head.length === width - 1 ? 1 : 0;
  const title = (c) => (head ? (head[c - shift] ?? "") : "");
  const wordy = Array.from({ length: width }, (_, c) => {
    const cells = rows.map((row) => row[c] ?? "").filter((cell) => cell !== "");
    const words = cells.filter((cell) => cellNumber(cell, marks) === null);
    return words.length > 0 && words.length >= cells.length / 2;
  });
  const cornered = head && head.length === rows.length + 1 && rows.length > 1;
  const repeated = cornered && rows.every((row, r) => row[0] !== "" && row[0] === head[r + 1]);
  const firsts = rows.map((row) => row[0] ?? "");
  const counts = head && width > 1 && ROW_TITLE.test(title(0)) && firsts.every((cell) => /^\d+$/.test(cell));
  const titled = head && width > 1 && /^names?$/i.test(title(0));
  const unnamed = !head && !firsts.includes("") && differ(firsts);
  const numbered = unnamed && !holdsSquare(rows, 0, marks) && holdsSquare(rows, 1, marks);
  if (repeated || shift || counts || titled || numbered) wordy[0] = true;
  const numeric = wordy.flatMap((is, c) => (is ? [] : [c]));
  return { rows, wordy: wordy.flatMap((is, c) => (is ? [c] : [])), numeric, title };
}

/** Names and colours from the columns of words: names differ, a colour stands for several rows. */
function wordsOf(rows, wordy, title) {
  const columns = wordy.map((c) => ({
    title: title(c),
    place: c,
    cells: rows.map((row) => (row[c] ?? "").slice(0, 80)),
  }));
  const kinds = (column) => new Set(column.cells).size;
  const apart = columns.filter((column) => kinds(column) > 0.8 * rows.length || rows.length < 4);
  const named = apart.find(({ cells }) => /\p{L}/u.test(cells[0])) ?? apart[0];
  const isGroup = (count) => count > 1 && count <= 24 && count < rows.length;
  const group = columns.find((column) => column !== named && isGroup(kinds(column)));
  const texts = columns
    .filter((column) => column !== named)
    .map(({ title, place, cells }) => ({ title: title || `column ${place + 1}`, cells }));
  const others = texts.filter(({ cells }) => cells !== group?.cells).map(({ title }) => title);
  return { names: named?.cells ?? null, group: group ?? null, texts, others };
}

/** Fill the half of a square table that was left empty from the other; null where neither is. */
function mirrored(table) {
  const n = table.length;
  const half = (upper) =>
    table.every((row, i) => row.every((x, j) => (upper ? j <= i : j >= i) || Number.isNaN(x)));
  const [noUpper, noLower] = [half(true), half(false)];
  if (n < 2 || noUpper === noLower) return null;
  return table.map((row, i) =>
    row.map((x, j) => {
      if (i === j) return Number.isNaN(x) ? 0 : x;
      return noUpper === j > i ? table[j][i] : x;
    }),
  );
}

const withZeros = (table) => table.map((row, i) => row.map((x, j) => (i === j ? 0 : x)));

/** Whether a table is square, with an empty diagonal. */
const isHollow = (table) => table.length === table[0].length && table.every((row, i) => Number.isNaN(row[i]));

/** A table, and a row below it where the upper half of a square table ends before its empty one. */
function withLastRow(table) {
  const [n, width] = [table.length, table[0].length];
  const cut = n === width - 1 && table.every((row, i) => Number.isNaN(row[i]));
  return cut ? [...table, Array(width).fill(NaN)] : table;
}

/** The rows of a triangle, from the lower or the upper half of a table; null where it is none. */
function stepped(rows) {
  const [first, last] = [rows[0].length, rows.at(-1).length];
  const step = Math.sign(last - first);
  if (rows.length < 2 || step === 0 || (step > 0 ? first > 1 : last !== 1)) return null;
  if (!rows.every((row, r) => row.length === first + step * r)) return null;
  return step > 0 ? rows : rows.map((_, c) => rows.slice(0, c + 1).map((row, i) => row[c - i]));
}

/** Whether the last number of each row of a triangle is its diagonal. */
function endsOnDiagonal(rows, as) {
  const ends = rows.map((row) => row.at(-1));
  const others = rows.flatMap((row) => row.slice(0, -1));
  if (as === "gram" || ends.every((end) => end === 0) || ends.every(Number.isNaN)) return true;
  if (as === "dissimilarities") return false;
  const alike = ends.every((end) => end === ends[0]);
  if (alike && others.every((x) => x <= ends[0]) && others.some((x) => x < ends[0])) return true;
  return ends.every((end) => end >= 0) && others.some((x) => x < 0);
}

/** The square table of a triangle without empty cells: with a diagonal, or without. */
function triangle(cells, as, printed) {
  const rows = stepped(cells);
  if (!rows) return null;
  const whole = printed || rows[0].length === 0 || endsOnDiagonal(rows, as);
  const lower = whole ? rows : [[], ...rows];
  const at = (i, j) => lower[i][j] ?? (i === j ? 0 : NaN);
  return lower.map((_, i) => lower.map((_, j) => (j <= i ? at(i, j) : at(j, i))));
}

/** What a square table is: dissimilarities, similarities, or points with as many columns. */
function kindOf(table, sameNames) {
  const n = table.length;
  const width = table[0].length;
  const diagonal = table.slice(0, width).map((row, i) => row[i]);
  const zeros = diagonal.filter((x) => x === 0 || Number.isNaN(x)).length;
  if (n !== width)
    return sameNames || (zeros === diagonal.length && zeros > 2) ? "dissimilarities" : "points";
  let [equal, pairs, least, most] = [0, 0, Infinity, 0];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      pairs++;
      [least, most] = [Math.min(least, table[i][j]), Math.max(most, table[i][j])];
      if (alike(table[i][j], table[j][i])) equal++;
    }
  }
  if (zeros === n && n > 1) return "dissimilarities";
  if (!sameNames && equal <= pairs / 2) return "points";
  return zeros > n / 2 || diagonal.every((x) => x >= 0 && x <= least && x < most) ? "dissimilarities" : "gram";
}

/** What is wrong with a table of points, in the library's words, or null. */
function checkPointTable(table, names, columns) {
  const place = (i, j) => `X[${names?.[i] ?? i}, ${columns[j] || j}]`;
  for (let i = 0; i < table.length; i++) {
    for (let j = 0; j < table[i].length; j++) {
      if (Number.isFinite(table[i][j])) continue;
      const found = `${place(i, j)} is ${sixDigits(table[i][j])}; every entry must be a finite number.`;
      return { sentence: `${found} Remove those rows or fill in the missing values first.`, entry: [i, j] };
    }
  }
  if (table.length < 2) return { sentence: "X holds 1 point; at least 2 are needed.", entry: null };
  return checkRange(table.reduce((size, row) => Math.max(size, largestModulus(row)), 0), "X");
}

/** The first sentence that refuses a text before any cell is read, or null. */
function refusal(text) {
  if (!text.trim()) return "Nothing is there to read. Paste a table, or choose a file or a sample.";
  if (text.length > MOST.characters) {
    const most = MOST.characters / 1e6;
    return `The text holds more than ${most} million characters. Nothing was read: round its numbers, or take a part of it.`;
  }
  if (/^\s*<(!doctype|html|table|\?xml|[a-z]+[\s>])/i.test(text)) {
    return "This is HTML or XML and no table of numbers. Copy the cells from the page as you see it, or save them as CSV.";
  }
  return noTable(text);
}

/** A reading that was refused, with other ways to read the same text: [{ words, why, text, options }]. */
function failed(sentence, again = []) {
  return { kind: null, table: [], names: null, groups: null, said: "", wrong: { sentence, entry: null }, again };
}

/**
 * Read a text. Returns { kind, table, names, columns, groups, said, wrong }: kind is
 * "dissimilarities", "gram" or "points", wrong is { sentence, entry } or null. Options say what the
 * table is, which units are no part of its numbers, and whether its words become numbers.
 */
export function readTable(text, options = {}) {
  const refused = refusal(text);
  if (refused) return failed(refused);
  const { grid: cells, marks, separator, lines, comments } = gridOf(undressed(text), options.units);
  if (!cells.length) return failed("Every line is empty or a comment. Paste a table, or choose a sample.");
  const grid = options.coded ? codedGrid(cells, marks) : options.spread ? spreadOver(cells) : cells;
  const printed = separator === " " && options.as !== "points" ? printedTable(lines, marks) : null;
  const form = { as: "auto", what: "", unit: "", ...options, printed: Boolean(printed), marks, text };
  const readRows = (rows) => {
    const left = shorn(rows, options.totals ?? []);
    return readCells(left, printed ? namedRows(printed) : columnsOf(left, marks), form);
  };
  const first = readRows(grid);
  const isOpen = first.wrong && !printed && (first.kind === "points" || !first.wrong.entry);
  const { body, outside } = isOpen ? bodyOf(grid, marks, separator) : { outside: [] };
  const found = outside.length ? readRows(body) : first;
  const { units, coded, spread, totals } = options;
  const repaired = [
    units ? `Signs and units were left out: ${units.join(", ")}.` : "",
    coded ? "Words became columns of 0 and 1: one for yes and no, else one for each word." : "",
    spread ? "Rows were taken that are spread evenly over the table." : "",
    totals ? `The last ${totals.join(" and ")} ${totals.length > 1 ? "were" : "was"} left out.` : "",
  ].filter(Boolean).join(" ");
  const outer = outside.length ? `Lines that are no rows were left out: ${someOf(outside)}.` : "";
  const begun = comments ? `${plural(comments, "line that begins with # was", "lines that begin with # were")} left out.` : "";
  return { ...told(found, [repaired, outer, begun].filter(Boolean).join(" ")), repaired };
}

/** Read cells whose columns are known: as pairs, a square table, or points. */
function readCells(grid, columns, form) {
  const { text, printed, marks, ...options } = form;
  const listed = printed ? null : listTable(columns, marks, form.as);
  const amounts = listed?.titles;
  const known = listed ? { ...namedRows(listed.rows), title: (c) => amounts?.[c - 1] ?? "" } : columns;
  const another = (words, changes, why = "") => [{ words, why, text, options: { ...options, ...changes } }];
  const units = listed ? [] : unitsOf(grid, known.wordy);
  const more = grid.slice(1).flatMap((row) => row.slice(1).filter(measured));
  const why = `Cells like \u201c${more.at(-1)}\u201d hold more than a number.`;
  const again = units.length ? another("leave signs and units out", { units }, why) : [];
  if (units.length ? !known.numeric.length : more.length > (grid.length * (grid[0].length - 1)) / 2)
    return failed(`${why} Leave the sign or the unit out.`, again.map((each) => ({ ...each, why: "" })));
  const unfit = unfitFor(grid, known, another, text);
  if (unfit) return unfit;
  const found = shaped(known, amounts ? { ...form, as: "points" } : form);
  if (found.table.length > MOST.objects) return failed(tooMany(found.table.length, "objects"));
  const totals = printed || listed ? [] : totalsOf(found, known);
  const last = `last ${totals.join(" and ")}`;
  if (totals.length) again.push(...another(`leave out the ${last}`, { totals }, `The ${last} may hold sums or means of the others.`));
  return { ...told(found, listed?.note), again, amounts: Boolean(amounts) };
}

/** A grid without the lines above and below its table and one of units below its head, and what these say. */
function bodyOf(grid, marks, separator) {
  const width = grid.reduce((most, row) => Math.max(most, row.length), 0);
  const filled = grid.map((row) => row.filter((cell) => cell !== ""));
  const words = filled.map((cells) => cells.filter((cell) => cellNumber(cell, marks) === null).length);
  const isWordy = (r) => 2 * words[r] > filled[r].length || /:/.test(grid[r][0]);
  const isRow = (_, r) => !isWordy(r) || (separator !== " " && 2 * filled[r].length > width);
  const [first, last] = [grid.findIndex(isRow), grid.findLastIndex(isRow)];
  const isHead = separator === " " && first > 0 && [0, 1].includes(grid[first].length - grid[first - 1].length);
  const top = isHead ? first - 1 : first;
  const isNamed = (r) => grid[r][0] !== "" && cellNumber(grid[r + 1]?.[0] ?? "", marks) === null;
  const isUnits = (r) => r === top + 1 && words[top] > 1 && words[r] > 1 && words[r] === filled[r].length && !isNamed(r);
  const isBody = grid.map((_, r) => r >= top && r <= last && !isUnits(r));
  const [, ...rows] = grid.filter((_, r) => isBody[r]);
  const isEven = rows.length > 1 && rows.every((row) => row.length === rows[0].length);
  const outside = isEven ? filled.filter((_, r) => !isBody[r]).map((cells) => cells.join(" ")) : [];
  return { body: [grid[top], ...rows], outside };
}

const TOTAL = /^((grand|column|row)[ -])?(totals?|sums?|means?|averages?|\u03a3)$/i;

/** Whether the last row is called the sum or the mean of at least two others, or is that of three, with a diagonal or without. */
function endsOnTotal(table, name) {
  const [last, others] = [table.at(-1), table.slice(0, -1)];
  const n = others.length;
  if (n < 3 || TOTAL.test(name)) return n > 1 && TOTAL.test(name);
  const cells = last.length === n + 1 ? last.slice(0, n) : last;
  const sums = cells.map((_, c) => others.reduce((sum, row) => sum + row[c], 0));
  const digits = Math.max(...cells.map((x) => String(x).split(".")[1]?.length ?? 0));
  const least = digits ? 0.51 / 10 ** digits : 0;
  const isPart = (part) => cells.every((x, c) => Math.abs(x - sums[c] / part) <= Math.max(least, 1e-9 * Math.abs(x)));
  const isOther = others.some((row) => cells.some((x, c) => x !== row[c]));
  return cells.length > 2 && isOther && [1, n, n - 1].some(isPart);
}

/** Which of the last row and the last column may hold sums or means of the others. */
function totalsOf({ table, names }, { wordy, numeric, title }) {
  const columns = table[0].map((_, c) => table.map((row) => row[c]));
  const isLast = numeric.at(-1) > (wordy.at(-1) ?? -1);
  const places = { row: endsOnTotal(table, names?.[table.length - 1]), column: isLast && endsOnTotal(columns, title(numeric.at(-1))) };
  return Object.keys(places).filter((place) => places[place]);
}

/** A grid without its last row or column. */
const shorn = (grid, places) =>
  grid.slice(0, places.includes("row") ? -1 : undefined).map((row) => (places.includes("column") ? row.slice(0, -1) : row));

/** A grid with as many rows as are taken, spread evenly. */
const spreadOver = ([first, ...rows]) => {
  const step = rows.length / (MOST.objects - 1);
  return [first, ...Array.from({ length: MOST.objects - 1 }, (_, r) => rows[Math.floor(r * step)])];
};

const YES = /^(yes|y|true|t|ja|oui|s\u00ed|si|present|\+|x|\u2713)$/i;

/** A grid of words as columns of 0 and 1: one for yes and no, else one for each word. */
function codedGrid(grid, marks) {
  const isHead = grid[0].some((cell, c) => c > 0 && grid.slice(1).every((row) => row[c] !== cell));
  const [head, rows] = isHead ? [grid[0], grid.slice(1)] : [[], grid];
  const from = Number(differ(rows.map(([name]) => name)));
  const made = grid[0].slice(from).flatMap((_, at) => {
    const [title, cells] = [head[at + from] || `column ${at + from + 1}`, rows.map((row) => row[at + from] ?? "")];
    const kinds = [...new Set(cells)];
    const yes = kinds.filter((kind) => YES.test(kind));
    if (kinds.length === 2 && yes.length === 1) return [{ title, cells, kind: yes[0] }];
    const words = kinds.length > 24 ? [] : kinds.filter((kind) => cellNumber(kind, marks) === null);
    return words.map((kind) => ({ title: `${title}: ${kind}`, cells, kind }));
  });
  const ones = (r) => made.map(({ cells, kind }) => String(Number(cells[r] === kind)));
  return [["", ...made.map(({ title }) => title)], ...rows.map(([name], r) => [from ? name : String(r), ...ones(r)])];
}

/** Columns of rows that begin with a name each and hold numbers alone after it. */
function namedRows(rows) {
  const numeric = Array.from({ length: rows.at(-1).length - 1 }, (_, c) => c + 1);
  return { rows, wordy: [0], numeric, title: () => "" };
}

/** A reading of which something more is said, now and after a repair. */
function told(found, note) {
  if (!note || !found.said) return found;
  const notes = [found.about.notes, note].filter(Boolean).join(" ");
  return { ...found, about: { ...found.about, notes }, said: `${found.said} ${note}` };
}

function tooMany(count, what) {
  const more = "Take a part of them, or use kmds_lib, which takes more.";
  return `The table has ${count} ${what}; the laboratory takes up to ${MOST.objects} objects. ${more}`;
}

/** The refusal of cells that can be no table of the laboratory's, with another way to read them; or null. */
function unfitFor(grid, { rows, wordy, numeric }, another, text) {
  const lone = grid.length === 1 && !grid[0].some((cell) => /\d/.test(cell));
  if (!numeric.length || !rows.length || lone) {
    if (/^["']?[=@]/m.test(text))
      return failed("No numbers were found. Its cells hold formulas: paste their values.");
    const why = lone ? "There is one line of words, and no numbers below it." : "Its cells hold words alone.";
    const isTable = grid.length > 2 && wordy.length > 1;
    return failed(`No numbers were found. ${why}`, isTable ? another("make columns of 0 and 1", { coded: true }) : []);
  }
  if (numeric.length > MOST.columns && rows.length !== numeric.length)
    return failed(`The table has ${numeric.length} columns of numbers; the laboratory takes up to ${MOST.columns}.`);
  if (rows.length <= MOST.objects) return null;
  const isPoints = rows.length !== numeric.length;
  return failed(tooMany(rows.length, "rows"), isPoints ? another("take a part of them", { spread: true }) : []);
}

/** The units of columns, after the first, that write one behind or before each number. */
function unitsOf([, ...rows], wordy) {
  const found = wordy.flatMap((c) => {
    const cells = rows.map((row) => row[c] ?? "").filter((cell) => cellNumber(cell) === null);
    const units = new Set(cells.map((cell) => measured(cell)?.unit));
    return c > 0 && units.size === 1 ? [...units] : [];
  });
  return [...new Set(found.filter(Boolean))];
}

/** A sentence on rows that end before the others do, or null. */
function raggedness(rows, numeric, name) {
  const width = Math.max(...numeric) + 1;
  const short = rows.findIndex((row) => row.length < width);
  if (short < 0) return null;
  const long = rows.findIndex((row) => row.length >= width);
  const sentence =
    `${name} is ragged: row ${short} has ${rows[short].length} cells, row ${long} has ${width}. ` +
    "Give rows of equal length.";
  return { sentence, entry: null };
}

function faultOf(kind, table, names, columns) {
  if (kind === "points") return checkPointTable(table, names, columns);
  return (kind === "gram" ? checkGram : checkDissimilarities)(table, names);
}

const someOf = (words) =>
  words.length > 4 ? `${words.slice(0, 3).join(", ")} and ${words.length - 3} more` : words.join(", ");

/** Numbers, kind and sentence of a table whose columns are known. */
function shaped({ rows, wordy, numeric, title }, { as, what, unit, printed, marks }) {
  const ends = rows.map((row) => row.findLastIndex((cell) => cell !== "") + 1);
  const cut = rows.map((row, r) =>
    numeric.filter((c) => c < ends[r]).map((c) => cellNumber(row[c], marks) ?? NaN),
  );
  const full = rows.map((row) =>
    numeric.map((c) => (row[c] === undefined ? NaN : (cellNumber(row[c], marks) ?? NaN))),
  );
  const whole = withLastRow(full);
  const square = whole.length === numeric.length ? mirrored(whole) : null;
  const half = as === "points" ? null : (triangle(cut, as, printed) ?? square);
  const columns = numeric.map(title);
  const { names, group, texts, others } = wordsOf(rows, half ? wordy.slice(0, 1) : wordy, title);
  const numbers = half ?? full;
  const table = as !== "points" && isHollow(numbers) ? withZeros(numbers) : numbers;
  const same =
    Boolean(names) && columns.length > 1 && columns.every((name, c) => name !== "" && name === names[c]);
  const kind = as !== "auto" ? as : kindOf(table, same);
  const own = kind === "points" ? names : namesOf({ rows, wordy, numeric, title }, names, table.length);
  const ragged = half ? null : raggedness(rows, numeric, { points: "X", gram: "K" }[kind] ?? "D");
  const wrong = ragged ?? faultOf(kind, table, own, columns);
  const groups = !half && group ? group.cells : null;
  const notes = [
    marks.decimal === "," ? "Decimal commas were understood." : "",
    marks.doubtful ? "Points were taken to mark decimals, not thousands." : "",
    marks.group ? `${marks.group === "," ? "Commas" : "Points"} were taken to part thousands.` : "",
    kind === "points" && title(0) && names?.every((id, i) => /^\d+$/.test(id) && id === rows[i][0])
      ? `Rows are named by ${title(0)}.`
      : "",
    kind === "points" && others.length ? `Left out: ${someOf(others)}.` : "",
  ].filter(Boolean);
  const about = { half: Boolean(half), group, what, unit, notes: notes.join(" ") };
  const beside = { columns: kind === "points" ? columns : [], texts: half ? [] : texts };
  const found = { kind, table, names: own, ...beside, groups, wrong, about };
  return { ...found, said: [saidBack(found, about), ...notes].join(" ") };
}

/** Names of n objects: before the rows, of which the first may be missing, or over the columns; or null. */
function namesOf({ rows, wordy, numeric, title }, names, n) {
  const over = Array.from({ length: n }, (_, c) => title(numeric[0] + c));
  const before = names ?? (wordy.length ? rows.map((row) => row[wordy[0]] ?? "") : null);
  if (before?.length === n) return before;
  if (before?.length === n - 1) return [over[0] || "1", ...before];
  return over.every(Boolean) ? over : null;
}

/** What was understood, in a sentence. */
function saidBack({ kind, table, columns, groups, wrong }, { half, group, what, unit }) {
  const n = table.length;
  const count = `${n} ${what || (kind === "points" ? "points" : "objects")}`;
  const values = table.flat().filter(Number.isFinite);
  const colour = groups ? `, coloured by ${group.title || "their words"} (${new Set(groups).size} kinds)` : "";
  if (kind === "points") {
    const named = columns.filter(Boolean);
    const listed = named.length && named.length <= 6 ? ` (${named.join(", ")})` : "";
    return `${count}, ${columns.length} column${columns.length > 1 ? "s" : ""} of numbers${listed}${colour}.`;
  }
  const shape = half ? "one half of a square table" : "a square table";
  const off = table.flatMap((row, i) => row.filter((x, j) => i !== j && Number.isFinite(x)));
  const [low, high] = off.reduce(([a, b], x) => [Math.min(a, x), Math.max(b, x)], [Infinity, -Infinity]);
  const range = off.length
    ? `from ${readable(low)} to ${readable(high)}${unit ? ` ${unit}` : ""}`
    : `${values.length} numbers`;
  const noun = kind === "gram" ? "similarities" : "dissimilarities";
  return `${count}, ${shape} of ${noun}, ${wrong ? "" : "symmetric, "}${range}${colour}.`;
}
