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
  found.wrong = faultOf(found.kind, changes.checked ?? found.table, found.names, found.columns);
  const { notes } = found.about;
  return { ...found, said: [saidBack(found, found.about), notes, done].filter(Boolean).join(" ") };
}

/** Leave out the rows that miss a number, or null where fewer than three would be left. */
function leavingOut(reading) {
  const { kind, table, names, groups, texts } = reading;
  const left = rowsToLeave(kind, table);
  const kept = table.flatMap((_, i) => (left.includes(i) ? [] : [i]));
  if (!left.length || kept.length < 3) return null;
  const listed = someOf(left.map((i) => names?.[i] ?? `row ${i}`));
  const count = left.length > 1 ? `${left.length} rows` : "1 row";
  const changes = {
    table: kept.map((i) => (kind === "points" ? table[i] : kept.map((j) => table[i][j]))),
    names: kept.map((i) => names?.[i] ?? String(i)),
    groups: groups && kept.map((i) => groups[i]),
    texts: texts.map(({ title, cells }) => ({ title, cells: kept.map((i) => cells[i]) })),
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
  const changes = { table: mean, made: "(D + D.T) / 2 of your D" };
  return { words: "average both directions", why, mend: () => mended(reading, changes, done) };
}

/** Fit by stress the pairs that are there, or null where none is missing or they do not join all. */
function fittingRest(reading) {
  const { kind, table } = reading;
  const n = table.length;
  if (kind !== "dissimilarities" || n < 3) return null;
  const either = table.map((row, i) =>
    row.map((x, j) => (i === j && Number.isNaN(x) ? 0 : Number.isNaN(x) ? table[j][i] : x)),
  );
  const joined = either.map((row, i) => row.flatMap((x, j) => (i !== j && Number.isFinite(x) ? [j] : [])));
  const missing = either.flat().filter(Number.isNaN).length / 2;
  if (components(joined).length > 1 || (!missing && !isPatchy(table))) return null;
  const largest = either.flat().reduce((high, x) => (x > high ? x : high), 0);
  const checked = either.map((row) => row.map((x) => (Number.isNaN(x) ? largest : x)));
  const pairs = (n * (n - 1)) / 2;
  const words = missing ? "fit by stress without them" : "take the direction that is there";
  const done = missing
    ? `${missing} of ${pairs} dissimilarities ${missing === 1 ? "is" : "are"} missing. Stress does without them; the other methods need them all.`
    : "Where one direction was missing, the other one stands for both.";
  return { words, why: "", mend: () => mended(reading, { table: either, checked }, done) };
}

/** What can be done about a table that was refused at one of its entries. */
export function repairsOf(reading) {
  const { kind, table, wrong } = reading;
  if (!wrong) return offersOf(reading);
  if (!wrong.entry || table.flat().some((x) => Math.abs(x) === Infinity)) return [];
  if (kind !== "points" && table.some((row) => row.length !== table.length)) return [];
  return [fittingRest, leavingOut, fillingIn, averaging].map((repair) => repair(reading)).filter(Boolean);
}

/**
 * The share of triples of a table that break the triangle inequality by more than a hundredth; of a
 * large one, of 40 of its objects.
 */
export function brokenShare(table) {
  const count = Math.min(40, table.length);
  const chosen = Array.from({ length: count }, (_, r) => Math.floor((r * table.length) / count));
  let [broken, all] = [0, 0];
  for (const i of chosen)
    for (const j of chosen.filter((each) => each < i))
      for (const k of chosen.filter((each) => each < j)) {
        const [a, b, c] = [table[i][j], table[i][k], table[j][k]].sort((x, y) => x - y);
        all += 1;
        if (c > 1.01 * (a + b)) broken += 1;
      }
  return all ? broken / all : 0;
}

/** What may become of similarities: the words of a button, the largest one that it takes, and the library's name. */
const CONVERSIONS = [
  { how: "max-minus", words: "max \u2212 s", of: (s, top) => top - s },
  { how: "one-minus", words: "1 \u2212 s", of: (s) => 1 - s, most: 1 },
  { how: "gram", words: "\u221a(2 \u2212 2s)", of: (s) => Math.sqrt(Math.max(0, 2 - 2 * s)), most: 1 },
];

/** A table of similarities as dissimilarities, with zeros on the diagonal. */
function converted({ table }, { of }) {
  const top = table.reduce((high, row) => row.reduce((most, x) => Math.max(most, x), high), -Infinity);
  return table.map((row, i) => row.map((s, j) => (i === j ? 0 : of(s, top))));
}

/**
 * What a table may be that can be mapped as it is: similarities with an empty diagonal break the
 * triangle inequality often, and much less often once they are turned round.
 */
function offersOf(reading) {
  const { kind, table, converted: isDone } = reading;
  if (kind === "points" || isDone || isPatchy(table)) return [];
  const off = table.flatMap((row, i) => row.filter((_, j) => j !== i));
  const most = off.reduce((high, x) => Math.max(high, x), -Infinity);
  const before = brokenShare(table);
  const after = brokenShare(converted(reading, CONVERSIONS[0]));
  const asked = kind === "dissimilarities" && after < 0.75 * before;
  if (!asked && kind === "dissimilarities") return [];
  const percent = (share) => `${readable(100 * share, 2)} %`;
  const why = `Are these similarities? ${percent(before)} of the triples break the triangle inequality, and ${percent(after)} once a large number means near.`;
  const offered = CONVERSIONS.filter((each) => (asked || each.how !== "gram") && most <= (each.most ?? Infinity));
  return offered.map((each, at) => ({
    words: `${kind === "gram" ? "distances" : "similarities"}: ${each.words}`,
    why: asked && at === 0 ? why : "",
    mend: () => turnedRound(reading, each),
  }));
}

/** A reading whose similarities became dissimilarities, and the Python that does it. */
function turnedRound(reading, conversion) {
  const { how, words } = conversion;
  const done = `The numbers s were taken as similarities: each became ${words}.`;
  const ones = how === "gram" ? " of your S with ones on its diagonal" : " of your S";
  const made = `similarities_to_dissimilarities(S, "${how}")${ones}`;
  const changes = { kind: "dissimilarities", table: converted(reading, conversion), made, converted: true };
  return mended(reading, changes, done);
}
