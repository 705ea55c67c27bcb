// The text of a file, or its kind where it is not a text.

const SHEET = "Open it, save the sheet with the table as CSV, and choose that file";
const PICTURE = "Type its numbers, or copy them from the source of the picture";
const GZIP = "a gzip archive, perhaps from R (.rds, .RData)";
const UNPACK = "Unpack it, and choose the file with the table";
/** Kinds of files: how they begin, a word near their beginning, the kind, and what can be done. */
const KINDS = [
  ["PK\x03\x04", "xl/", "a workbook of Excel (.xlsx)", SHEET],
  ["PK\x03\x04", "opendocument.spreadsheet", "a spreadsheet of LibreOffice (.ods)", SHEET],
  ["PK\x03\x04", "word/", "a document of Word", "Copy the cells of its table"],
  ["PK\x03\x04", ".npy", "an archive of NumPy (.npz)", "Save the array with np.savetxt"],
  ["PK\x03\x04", "", "a zip archive", UNPACK],
  ["RDX", "\nX\n", "a workspace of R (.RData)", "Use write.csv in R"],
  ["\xd0\xcf\x11\xe0", "", "a workbook of an older Excel (.xls)", SHEET],
  ["%PDF", "", "a PDF", "Copy the cells of its table, or save them as CSV"],
  ["\x93NUMPY", "", "an array of NumPy (.npy)", "Save it with np.savetxt"],
  ["MATLAB ", "MAT-file", "a file of MATLAB (.mat)", "Save the matrix with writematrix"],
  ["\x1f\x8b", "", GZIP, "Unpack it, or use write.csv in R"],
  ["\x80", "\0\0", "a pickle of Python", "Save the table with to_csv"],
  ["\x89PNG", "", "a picture (PNG)", PICTURE],
  ["\xff\xd8\xff", "", "a picture (JPEG)", PICTURE],
];

/** Other encodings: label, name, what their texts contain. */
const ENCODINGS: [string, string, RegExp][] = [
  ["shift_jis", "Shift_JIS (Japanese)", /[\u3040-\u30FF]/],
  ["windows-1251", "Windows-1251 (Cyrillic)", /^(?=.*[\u0430-\u044F]{3})[ -~\s\u0410-\u044F]*$/s],
  ["gb18030", "GB 18030 (Chinese)", /\p{Script=Han}{2}/u],
  ["windows-1252", "Windows-1252 (Western European, Latin-1)", /^/],
];

/** Return the encoding of a file from its byte order mark, or from zeros in every second byte. */
function encodingOf(start: string) {
  if (start.startsWith("\xff\xfe\0\0") || start.startsWith("\0\0\xfe\xff")) return "utf-32";
  const isZero = (offset: number) => start[offset] === "\0";
  const zeros = [0, 1].map((odd) => isZero(odd) && isZero(odd + 2) && !isZero(1 - odd));
  if (start.startsWith("\xff\xfe") || zeros[1]) return "utf-16le";
  return start.startsWith("\xfe\xff") || zeros[0] ? "utf-16be" : "utf-8";
}

const startOf = (file: Uint8Array) => String.fromCharCode(...file.subarray(0, 4000));

/** Return the sentence that rejects a file that is not a text, or null. */
export function binaryFileReason(bytes: Uint8Array) {
  const start = startOf(bytes);
  const found = KINDS.find(([mark, word]) => start.startsWith(mark) && start.includes(word));
  if (found) return `The file is ${found[2]}, not a text. ${found[3]}.`;
  const encoding = encodingOf(start);
  if (encoding === "utf-32") return "The file is encoded in UTF-32. Save it as UTF-8.";
  return encoding === "utf-8" && start.includes("\0")
    ? "The file is not a text: it contains zero bytes. Save the table as CSV."
    : null;
}

/** Return the text of bytes in an encoding, or null if they are not valid in it. */
function decoded(bytes: Uint8Array, encoding: string) {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Return the text of a file, and a note if its encoding is neither UTF-8 nor UTF-16. */
export function textOf(bytes: Uint8Array) {
  const encoding = encodingOf(startOf(bytes));
  if (encoding !== "utf-8") return { text: new TextDecoder(encoding).decode(bytes), note: "" };
  const plain = decoded(bytes, "utf-8");
  if (plain !== null) return { text: plain, note: "" };
  const texts = ENCODINGS.map(([label]) => decoded(bytes, label) ?? "");
  const index = ENCODINGS.findIndex(([, , letters], e) => letters.test(texts[e]));
  const note =
    `The file is not encoded in UTF-8 or UTF-16. It was read as ${ENCODINGS[index][1]}; if ` +
    "letters are wrong, save it as UTF-8.";
  return { text: texts[index], note };
}
