// Reading: rows of cells become a table, names and a sentence that says what they are.

const PRINTED = [
  { below: 1, numbers: (r) => r + 1 },
  { below: 0, numbers: (r) => r + 1 },
  { below: 0, numbers: (_, rows) => rows },
];

/**
 * A table as R prints `dist` or a matrix: names over the columns and before the rows, perhaps in
 * several blocks of columns under one another. Its rows as cells, or null where the text is none.
 */
function printedTable(lines, marks) {
  const words = lines.map((line) => line.replace(/"/g, "").trim().split(/\s+/));
  const isNumber = (cell) => cellNumber(cell, marks) !== null;
  if (words.length < 2 || (words.length === 2 && !(words[0].length === 1 && words[1].length > 1)))
    return null;
  if (words.length === 2 && isNumber(words[0][0]) && !/^\s/.test(lines[0])) return null;
  for (const shape of PRINTED) {
    for (let height = 2; height <= Math.min(words.length, MOST.objects + 1); height++) {
      if (words.length % height || (height === 2 && words.length > 2)) continue;
      const rows = height - 1;
      const whole = height === words.length;
      const below = whole ? [] : words.slice(height + 1, 2 * height);
      if (!below.every(([first], r) => first === words[r + 1][0])) continue;
      const widest = whole ? rows : Math.min(rows - 1, words[0].length);
      for (let wide = whole ? rows : 1; wide <= widest; wide++) {
        const found = unfolded(words, { ...shape, rows, wide, isNumber });
        if (found) return found;
      }
    }
  }
  return null;
}

/** The printed table if its blocks have this height and the first of them this width, or null. */
function unfolded(words, { below, numbers, rows, wide, isNumber }) {
  const [names, cells] = [[], []];
  for (let r = 0; r < rows; r++) {
    const line = words[r + 1];
    const count = Math.min(wide, numbers(r, rows));
    const name = line.slice(0, -count);
    if (!name.length || !line.slice(-count).every(isNumber)) return null;
    names.push(name);
    cells.push(line.slice(-count));
  }
  const head = [...words[0]];
  for (let top = rows + 1; top < words.length; top += rows + 1) {
    head.push(...words[top]);
    for (let r = 0; r < rows; r++) {
      const line = words[top + r + 1];
      if (!names[r].every((word, at) => word === line[at])) return null;
      cells[r].push(...line.slice(names[r].length));
    }
  }
  if (!cells.every((row, r) => row.length === numbers(r, rows) && row.every(isNumber))) return null;
  const over = names.slice(0, rows - below).flat();
  const first = head.slice(0, head.length - over.length);
  const same = over.every((word, at) => word === head[first.length + at]);
  if (!same || first.length > 0 !== (below === 1)) return null;
  const table = cells.map((row, r) => [names[r].join(" "), ...row]);
  return below ? [[first.join(" ")], ...table] : table;
}

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
  if (names.length > 1 && names.every((name, r) => rows[r]?.[0] === name)) return true;
  if (differ(head) && holdsSquare(rows, 0, marks)) return true;
  const below = (c) =>
    rows.filter((row) => row[c] !== undefined && cellNumber(row[c], marks) !== null).length;
  return head.some((cell, c) => words(cell) && below(c) > rows.length / 2);
}

// Over a column that counts the rows, as R and pandas write it.
const ROW_TITLE = /^(|id|nr|no|row|index|rownames|unnamed: 0)$/i;

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
  const counts =
    head &&
    width > 1 &&
    ROW_TITLE.test(title(0)) &&
    [0, 1].some((from) => rows.every((row, r) => row[0] === String(r + from)));
  const titled = head && width > 1 && /^names?$/i.test(title(0));
  const unnamed = !head && rows.every((row) => row[0] !== "") && differ(rows.map((row) => row[0]));
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
  const named = columns.find((column) => kinds(column) > 0.8 * rows.length || column.cells.length < 4);
  const group = columns.find(
    (column) => column !== named && kinds(column) <= 24 && kinds(column) < rows.length,
  );
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
  if (as === "gram" || ends.every((end) => end === 0)) return true;
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
  let [equal, pairs] = [0, 0];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      pairs++;
      if (alike(table[i][j], table[j][i])) equal++;
    }
  }
  if (zeros === n && n > 1) return "dissimilarities";
  if (!sameNames && equal <= pairs / 2) return "points";
  return zeros > n / 2 ? "dissimilarities" : "gram";
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
  return checkRange(
    table.reduce((size, row) => Math.max(size, largestModulus(row)), 0),
    "X",
  );
}

/** The first sentence that refuses a text before any cell is read, or null. */
function refusal(text) {
  if (!text.trim()) return "Nothing is there to read. Paste a table, or choose a file or a sample.";
  if (text.length > MOST.characters) {
    const most = MOST.characters / 1e6;
    return `The text holds more than ${most} million characters, and 500 objects need fewer. Nothing was read.`;
  }
  if (/^\s*<(!doctype|html|table|\?xml|[a-z]+[\s>])/i.test(text)) {
    return "This is HTML or XML and no table of numbers. Copy the cells from the page as you see it, or save them as CSV.";
  }
  return noTable(text);
}

function failed(sentence) {
  return { kind: null, table: [], names: null, groups: null, said: "", wrong: { sentence, entry: null } };
}

/**
 * Read a text. Returns { kind, table, names, columns, groups, said, wrong }: kind is
 * "dissimilarities", "gram" or "points", wrong is { sentence, entry } or null.
 */
export function readTable(text, { as = "auto", what = "", unit = "" } = {}) {
  const refused = refusal(text);
  if (refused) return failed(refused);
  const { grid, marks, separator, lines, comments } = gridOf(undressed(text));
  if (!grid.length) return failed("Every line is empty or a comment. Paste a table, or choose a sample.");
  const printed = separator === " " && as !== "points" ? printedTable(lines, marks) : null;
  const columns = printed ? namedRows(printed) : columnsOf(grid, marks);
  const listed = printed || as === "points" ? null : pairTable(columns);
  const { rows, wordy, numeric, title } = listed ? namedRows(listed.rows) : columns;
  const unfit = unfitFor(grid, rows, numeric, text);
  if (unfit) return failed(unfit);
  const found = shaped({ rows, wordy, numeric, title, printed: Boolean(printed), marks }, { as, what, unit });
  if (found.table.length > MOST.objects) return failed(tooMany(found.table.length, "objects"));
  const left = `${comments} line${comments === 1 ? " that begins" : "s that begin"} with # ${comments === 1 ? "was" : "were"} left out.`;
  const pairs = listed ? `It was read as a list of ${listed.count} pairs.` : "";
  return told(found, [pairs, comments ? left : ""].filter(Boolean).join(" "));
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

/** Why cells can be no table of the laboratory's, or null. */
function unfitFor(grid, rows, numeric, text) {
  const inner = grid.slice(1).flatMap((row) => row.slice(1));
  const more = inner.filter((cell) => /^[-+]?\d[\d.,]*\s?(%|[a-z\u00b5\u20ac$]{1,3})$/i.test(cell));
  if (more.length > inner.length / 2) {
    return `Cells like \u201c${more.at(-1)}\u201d hold more than a number. Leave the sign or the unit out.`;
  }
  const lone = grid.length === 1 && !grid[0].some((cell) => /\d/.test(cell));
  if (!numeric.length || !rows.length || lone) {
    if (/^["']?[=@]/m.test(text))
      return "No numbers were found. Its cells hold formulas: paste their values.";
    const why = lone ? "There is one line of words, and no numbers below it." : "Its cells hold words alone.";
    return `No numbers were found. ${why}`;
  }
  if (numeric.length > MOST.columns && rows.length !== numeric.length)
    return `The table has ${numeric.length} columns of numbers; the laboratory takes up to ${MOST.columns}.`;
  return rows.length > MOST.objects ? tooMany(rows.length, "rows") : null;
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
function shaped({ rows, wordy, numeric, title, printed, marks }, { as, what, unit }) {
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
  const table = half ?? full;
  const same =
    Boolean(names) && columns.length > 1 && columns.every((name, c) => name !== "" && name === names[c]);
  const kind = as !== "auto" ? as : kindOf(table, same);
  const own = kind === "points" ? names : namesOf({ rows, wordy, numeric, title }, names, table.length);
  const ragged = half ? null : raggedness(rows, numeric, { points: "X", gram: "K" }[kind] ?? "D");
  const wrong = ragged ?? faultOf(kind, table, own, columns);
  const groups = kind === "points" && group ? group.cells : null;
  const notes = [
    marks.decimal === "," ? "Decimal commas were understood." : "",
    marks.doubtful ? "Points were taken to mark decimals, not thousands." : "",
    marks.group ? `${marks.group === "," ? "Commas" : "Points"} were taken to part thousands.` : "",
    kind === "points" && others.length ? `Left out: ${someOf(others)}.` : "",
  ].filter(Boolean);
  const about = { half: Boolean(half), group, what, unit, notes: notes.join(" ") };
  const ofPoints = kind === "points" ? { columns, texts } : { columns: [], texts: [] };
  const found = { kind, table, names: own, ...ofPoints, groups, wrong, about };
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
  if (kind === "points") {
    const named = columns.filter(Boolean);
    const listed = named.length && named.length <= 6 ? ` (${named.join(", ")})` : "";
    const colour = groups
      ? `, coloured by ${group.title || "their words"} (${new Set(groups).size} kinds)`
      : "";
    return `${count}, ${columns.length} column${columns.length > 1 ? "s" : ""} of numbers${listed}${colour}.`;
  }
  const shape = half ? "one half of a square table" : "a square table";
  const off = table.flatMap((row, i) => row.filter((x, j) => i !== j && Number.isFinite(x)));
  const [low, high] = off.reduce(([a, b], x) => [Math.min(a, x), Math.max(b, x)], [Infinity, -Infinity]);
  const range = off.length
    ? `from ${readable(low)} to ${readable(high)}${unit ? ` ${unit}` : ""}`
    : `${values.length} numbers`;
  const noun = kind === "gram" ? "similarities" : "dissimilarities";
  return `${count}, ${shape} of ${noun}, ${wrong ? "" : "symmetric, "}${range}.`;
}
