// Pairs: a list with a line for each two objects becomes the rows of a square table.

const FROM = /^(from|source|i|row|object ?1|item ?1|a)$/i;

/** Names of the columns of a list with two objects and a number in each row, or null. */
function pairColumns({ rows, wordy, numeric, title }) {
  if (wordy.length >= 2 && numeric.length === 1) return [wordy[0], wordy[1], numeric[0]];
  const bare = wordy.length === 0 && numeric.length === 3;
  const whole = (c) => rows.every((row) => /^\d+$/.test(row[c] ?? ""));
  return bare && whole(numeric[0]) && whole(numeric[1]) ? numeric : null;
}

/**
 * The square table of a list of pairs: { rows, names, count }, its rows as cells with a name before
 * each, or null where the rows list no pairs. A list of whole numbers has to hold all pairs, or a
 * head that says from where they go.
 */
function pairTable(columns) {
  const places = pairColumns(columns);
  if (!places) return null;
  const { rows, wordy, title } = columns;
  const [from, to, value] = places;
  const cells = new Map();
  const [all, first, second] = [new Set(), new Set(), new Set()];
  for (const row of rows) {
    const [a, b] = [row[from] ?? "", row[to] ?? ""];
    const key = JSON.stringify([a, b]);
    if (a === "" || b === "" || cells.has(key)) return null;
    cells.set(key, row[value] ?? "");
    for (const name of [a, b]) all.add(name);
    if (a !== b) [first.add(a), second.add(b)];
  }
  const names = [...all];
  const n = names.length;
  const at = (a, b) => cells.get(JSON.stringify([a, b]));
  const known = names.flatMap((a, i) => names.slice(0, i).filter((b) => (at(a, b) ?? at(b, a)) !== undefined));
  const named = wordy.length > 0 || FROM.test(title(from));
  const most = (n * (n - 1)) / 2;
  if (n < 3 || ![...first].some((a) => second.has(a)) || known.length < (named ? most / 2 : most)) return null;
  const cell = (a, b) => at(a, b) ?? at(b, a) ?? (a === b ? "0" : "NA");
  return { rows: names.map((a) => [a, ...names.map((b) => cell(a, b))]), names, count: rows.length };
}
