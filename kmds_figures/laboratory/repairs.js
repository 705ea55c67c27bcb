// Repairs: what can be done about a table that was refused, each by a button that says it.

const holds = (table, i, j) => Number.isFinite(table[i][j]) && Number.isFinite(table[j][i]);

/** The rows to leave out until no number is missing; of a square table the emptiest goes first. */
function rowsToLeave(kind, table) {
  if (kind === "points") return table.flatMap((row, i) => (row.every(Number.isFinite) ? [] : [i]));
  const left = [];
  for (;;) {
    const kept = table.flatMap((_, i) => (left.includes(i) ? [] : [i]));
    const missing = kept.map((i) => kept.filter((j) => !holds(table, i, j)).length);
    const most = Math.max(0, ...missing);
    if (most === 0) return left.sort((i, j) => i - j);
    left.push(kept[missing.indexOf(most)]);
  }
}

/** A reading with another table, checked and said anew; what was done stays with it. */
function mended(reading, changes, done) {
  const repaired = [reading.repaired, done].filter(Boolean).join(" ");
  const found = { ...reading, ...changes, repaired };
  found.wrong = faultOf(found.kind, found.table, found.names, found.columns);
  const { notes } = found.about;
  return { ...found, said: [saidBack(found, found.about), notes, done].filter(Boolean).join(" ") };
}

/** Leave out the rows that miss a number, or null where fewer than three would be left. */
function leavingOut(reading) {
  const { kind, table, names, groups } = reading;
  const left = rowsToLeave(kind, table);
  const kept = table.flatMap((_, i) => (left.includes(i) ? [] : [i]));
  if (!left.length || kept.length < 3) return null;
  const listed = someOf(left.map((i) => names?.[i] ?? `row ${i}`));
  const count = left.length > 1 ? `${left.length} rows` : "1 row";
  const changes = {
    table: kept.map((i) => (kind === "points" ? table[i] : kept.map((j) => table[i][j]))),
    names: kept.map((i) => names?.[i] ?? String(i)),
    groups: groups && kept.map((i) => groups[i]),
  };
  const done = `${count} with cells that hold no number ${left.length > 1 ? "were" : "was"} left out: ${listed}.`;
  return { words: `leave out ${count}`, why: "", mend: () => mended(reading, changes, done) };
}

/** Put the mean of its column in place of each missing number, or null where a column has none. */
function fillingIn(reading) {
  const { kind, table } = reading;
  if (kind !== "points") return null;
  const columns = table[0].map((_, c) => table.map((row) => row[c]).filter(Number.isFinite));
  const missing = columns.reduce((sum, column) => sum + table.length - column.length, 0);
  if (!missing || columns.some((column) => !column.length)) return null;
  const means = columns.map((column) => column.reduce((sum, x) => sum + x / column.length, 0));
  const filled = table.map((row) => row.map((x, c) => (Number.isFinite(x) ? x : means[c])));
  const done = `${missing} cell${missing > 1 ? "s" : ""} without a number took the mean of the column.`;
  return {
    words: "fill in the mean of the column",
    why: "",
    mend: () => mended(reading, { table: filled }, done),
  };
}

/** The share of the sum of squares off the diagonal that the skew part holds. */
export function skewShare(table) {
  let [skew, all] = [0, 0];
  table.forEach((row, i) =>
    row.forEach((x, j) => {
      if (i === j) return;
      skew += ((x - table[j][i]) / 2) ** 2;
      all += x ** 2;
    }),
  );
  return all > 0 ? skew / all : 0;
}

/** Average the two directions of a square table, or null where they agree or a number is missing. */
function averaging(reading) {
  const { kind, table } = reading;
  if (kind === "points" || table.some((row) => !row.every(Number.isFinite))) return null;
  const share = skewShare(table);
  if (table.every((row, i) => row.every((x, j) => alike(x, table[j][i])))) return null;
  const why = `The difference of the two directions holds ${readable(100 * share, 3)} % of the sum of squares.`;
  const mean = table.map((row, i) => row.map((x, j) => x / 2 + table[j][i] / 2));
  const done = `Both directions were averaged. ${why}`;
  return { words: "average both directions", why, mend: () => mended(reading, { table: mean }, done) };
}

/** What can be done about a table that was refused at one of its entries. */
export function repairsOf(reading) {
  const { kind, table, wrong } = reading;
  if (!wrong?.entry || table.flat().some((x) => Math.abs(x) === Infinity)) return [];
  if (kind !== "points" && table.some((row) => row.length !== table.length)) return [];
  return [leavingOut, fillingIn, averaging].map((repair) => repair(reading)).filter(Boolean);
}
