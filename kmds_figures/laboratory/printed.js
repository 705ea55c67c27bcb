// Printed: tables as R prints them.

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
