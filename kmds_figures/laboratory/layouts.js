// Layouts: tables in the dress of another program become lines of cells, and files that hold none are named.

/** A table between bars, as in Markdown, or ampersands, as in LaTeX, with tabs in their place; others stay. */
function withoutBars(text) {
  const lines = text.split(/\r?\n/).filter((line) => !/^\s*(\\\w+\s*)?$/.test(line));
  const mark = ["|", "&"].find((each) => lines.length > 1 && lines.every((line) => line.includes(each)));
  if (!mark) return text;
  const cells = (line) => line.replace(/^\s*\||(\||\\\\.*)?\s*$/g, "").split(mark);
  const isRule = (line) => cells(line).every((cell) => /^\s*:?-+:?\s*$/.test(cell));
  const plain = (cell) => cell.trim().replace(/^(\*\*|`)(.*)\1$/, "$2");
  return lines
    .filter((line) => !isRule(line))
    .map((line) => cells(line).map(plain).join("\t"))
    .join("\n");
}

/** Numbers between brackets, as NumPy, Python and JSON write them, with a row on each line. */
function withoutBrackets(text) {
  if (!/^\s*(np\.)?(array\(|matrix\()?\s*\[\s*\[/.test(text)) return text;
  const rows = text.match(/\[[^[\]]*\]/g) ?? [];
  const plain = (row) => row.slice(1, -1).replace(/[\s,]+/g, " ").trim();
  return rows.map(plain).join("\n");
}

/** Records of JSON, in a list or one on each line, as lines of cells below their keys; other texts stay. */
function withoutBraces(text) {
  if (!/^\s*\[?\s*\{\s*"/.test(text)) return text;
  const list = /^\s*\[/.test(text) ? text : `[${text.replace(/\}\s*\{/g, "},{")}]`;
  const quoted = (value) => `"${String(value ?? "").replace(/\s+/g, " ").replace(/"/g, '""')}"`;
  try {
    const records = JSON.parse(list.replace(/(:\s*)(NaN|-?Infinity)/g, '$1"$2"'));
    const keys = [...new Set(records.flatMap(Object.keys))];
    const rows = [keys, ...records.map((record) => keys.map((key) => record[key]))];
    return rows.map((row) => row.map(quoted).join("\t")).join("\n");
  } catch {
    return text;
  }
}

/** What R prints without its prompts, the brackets round its numbers of rows and columns, and a tibble's types. */
const withoutMarks = (text) =>
  text.replace(/^(> .*|[ \t]*(<\w+> *)+)$/gm, "").replace(/\[(?:(\d+),|,(\d+))\]/g, "$1$2");

/** A text in plain lines of cells. */
export const undressed = (text) => withoutBrackets(withoutBars(withoutMarks(withoutBraces(text))));

/** The sentence that refuses a text of a known kind that holds no whole table, or null. */
export function noTable(text) {
  if (/^\s*(np\.)?(array\(|matrix\()?\s*\[\s*\[/.test(text) && /\.\.\.|\u2026/.test(text))
    return "NumPy left numbers out of this print (\u2026). Save the whole table with np.savetxt, or print it after np.set_printoptions(threshold=np.inf).";
  const tokens = text.trim().split(/\s+/);
  const words = tokens.filter((token) => /^[("\u201c]?\p{L}[\p{L}'\u2019-]*[.,;:!?)"\u201d]*$/u.test(token));
  const isProse = /\p{Ll}[.!?]["\u201d)]?(\s+\p{Lu}|\s*$)/u.test(text) && !/[\t|]/.test(text);
  const cells = text.split(/\r?\n/).filter((line) => /(^|[,;])\s*[-+]?[\d.]+\s*([,;]|$)/.test(line));
  return cells.length < 2 && tokens.length >= 12 && words.length > 0.7 * tokens.length && isProse
    ? "This reads as prose and not as a table: one line for each object, with its numbers, is needed."
    : null;
}

/** The sentence that refuses a file by its first bytes, or null. */
export function noText(bytes) {
  const begins = (...marks) => marks.every((mark, at) => bytes[at] === mark);
  if (begins(0x50, 0x4b, 3, 4) || begins(0xd0, 0xcf, 0x11, 0xe0))
    return "This is a spreadsheet file (.xlsx, .ods, .xls) or an archive. Open it, save the sheet with the table as CSV, and choose that file.";
  return begins(0x25, 0x50, 0x44, 0x46)
    ? "This is a PDF. Copy the cells of its table, or save them as CSV."
    : null;
}
