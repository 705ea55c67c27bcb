// Pairs: a list with a line for each two objects becomes the rows of a square table, and one of amounts a table of points.

const FROM = /^(from|source|i|row|a|.*(object|item|stim(ulus)?|brand|site)[ _]?[1ai]?)$/i;

/** Columns that may name two objects and a number in each row: [from, to, value]. */
function pairColumns({ rows, wordy, numeric }) {
  if (wordy.length >= 2 && numeric.length) {
    const value = (to) => numeric.find((c) => c > to) ?? numeric[0];
    return wordy.flatMap((from, at) => wordy.slice(at + 1).map((to) => [from, to, value(to)]));
  }
  const bare = wordy.length === 0 && numeric.length === 3;
  const whole = (c) => rows.every((row) => /^\d+$/.test(row[c] ?? ""));
  return bare && whole(numeric[0]) && whole(numeric[1]) ? [numeric] : [];
}

/** The table of a list of pairs or of amounts: { rows, note, titles }, its rows as cells with a name before each, or null. */
function listTable(columns, marks, as) {
  for (const places of as === "points" ? [] : pairColumns(columns)) {
    const found = pairsAt(columns, places, marks);
    if (found) return found;
  }
  return as === "auto" ? amountTable(columns, marks) : null;
}

/**
 * The pairs in three columns. A list of whole numbers has to hold all of them, or a head that says
 * from where they go; so does one with more columns, or with a pair that stands twice.
 */
function pairsAt({ rows, wordy, numeric, title }, [from, to, value], marks) {
  const cells = new Map();
  const [all, first, second] = [new Set(), new Set(), new Set()];
  for (const row of rows) {
    const [a, b] = [row[from] ?? "", row[to] ?? ""];
    if (a === "" || b === "") return null;
    const key = JSON.stringify([a, b]);
    cells.set(key, [...(cells.get(key) ?? []), row[value] ?? ""]);
    for (const name of [a, b]) all.add(name);
    if (a !== b) [first.add(a), second.add(b)];
  }
  const isTold = FROM.test(title(from));
  const more = rows.length - cells.size;
  const alone = wordy.length + numeric.length === 3 && (!more || rows.every((row) => row[from] !== row[to]));
  const names = [...all];
  const n = names.length;
  const at = (a, b) => cells.get(JSON.stringify([a, b]));
  const known = names.flatMap((a, i) => names.slice(0, i).filter((b) => at(a, b) ?? at(b, a)));
  const most = (n * (n - 1)) / 2;
  const enough = isTold ? Math.min(n - 1, most / 2) : wordy.length ? most / 2 : most;
  if (n < 3 || !(isTold || alone) || ![...first].some((a) => second.has(a)) || known.length < enough) return null;
  const mean = (given) => {
    const numbers = given.map((cell) => cellNumber(cell, marks)).filter(Number.isFinite);
    if (given.length === 1 || !numbers.length) return given[0];
    return String(numbers.reduce((sum, x) => sum + x, 0) / numbers.length).replace(".", marks.decimal);
  };
  const cell = (a, b) => mean(at(a, b) ?? at(b, a) ?? [a === b ? "0" : "NA"]);
  const twice = more ? " Pairs that stand more than once took their mean." : "";
  const left = numeric.filter((c) => c !== value && c > to).map(title);
  const others = left.length ? ` Left out: ${someOf(left)}.` : "";
  const note = `It was read as a list of ${rows.length} pairs.${twice}${others}`;
  return { rows: names.map((a) => [a, ...names.map((b) => cell(a, b))]), note };
}

/**
 * A list with a line for each amount that an object has of something, as a table of points, or null.
 * What is not listed is 0 where no zero is listed, else missing.
 */
function amountTable({ rows, wordy, numeric, title }, marks) {
  const cells = new Map(rows.map((row) => [JSON.stringify([row[wordy[0]], row[wordy[1]]]), row[numeric[0]]]));
  const [names, titles] = wordy.map((c) => [...new Set(rows.map((row) => row[c] ?? ""))]);
  if (wordy.length !== 2 || numeric.length !== 1 || cells.size < rows.length) return null;
  if (names.length < 3 || rows.length < names.length + titles.length || names.some((name) => titles.includes(name)))
    return null;
  const [empty, what] = [...cells.values()].some((cell) => cellNumber(cell, marks) === 0) ? ["NA", "missing"] : ["0", "0"];
  const unlisted = cells.size < names.length * titles.length ? ` What is not listed is ${what}.` : "";
  const [each, all] = wordy.map((c) => title(c) || `word of column ${c + 1}`);
  const note = `It was read as a list of ${rows.length} numbers: a row for each ${each}, a column for each ${all}.${unlisted}`;
  const cell = (a, b) => cells.get(JSON.stringify([a, b])) ?? empty;
  return { rows: names.map((a) => [a, ...titles.map((b) => cell(a, b))]), note, titles };
}
