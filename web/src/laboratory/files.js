// The text of a file, or its kind where it is not a text.

const EXCEL = "Open it, save the sheet with the table as CSV, and choose that file";
const PICTURE = "Type its numbers, or copy them from the source of the picture";
const EXPORT = "Export the table as CSV, and choose that file";
/** Kinds of files: how they begin, a word near their beginning, the kind, and what can be done. */
const KINDS = [
  ["PK\x03\x04", "xl/", "a workbook of Excel (.xlsx)", EXCEL],
  ["PK\x03\x04", "opendocument.spreadsheet", "a spreadsheet of LibreOffice (.ods)", EXCEL],
  ["PK\x03\x04", "word/", "a document of Word", "Copy the cells of its table"],
  ["PK\x03\x04", ".npy", "an archive of NumPy (.npz)", "Save the array with np.savetxt"],
  ["PK\x03\x04", "", "a zip archive", "Unpack it, and choose the file with the table"],
  ["\xd0\xcf\x11\xe0", "", "a workbook of an older Excel (.xls)", EXCEL],
  ["%PDF", "", "a PDF", "Copy the cells of its table, or save them as CSV"],
  ["\x93NUMPY", "", "an array of NumPy (.npy)", "Save it with np.savetxt"],
  ["MATLAB 5", "", "a file of MATLAB (.mat)", "Save the matrix with writematrix"],
  ["\x89HDF", "", "an HDF5 file", EXPORT],
  [
    "\x1f\x8b",
    "",
    "a compressed file, as R saves .rds and .RData",
    "Save the table with write.csv",
  ],
  ["<stata_dta>", "", "a data file of Stata (.dta)", EXPORT],
  ["$FL2", "", "a data file of SPSS (.sav)", EXPORT],
  ["PAR1", "", "a Parquet file", EXPORT],
  ["SQLite format", "", "a database of SQLite", EXPORT],
  ["\x89PNG", "", "a picture", PICTURE],
  ["\xff\xd8\xff", "", "a picture", PICTURE],
];

/** Return the encoding of a file from its byte order mark, or from zeros in every second byte. */
function encodingOf(start) {
  if (start.startsWith("\xff\xfe\0\0") || start.startsWith("\0\0\xfe\xff")) return "utf-32";
  const zeros = [0, 1].map((odd) => start[odd] === "\0" && start[odd + 2] === "\0");
  if (start.startsWith("\xff\xfe") || zeros[1]) return "utf-16le";
  return start.startsWith("\xfe\xff") || zeros[0] ? "utf-16be" : "utf-8";
}

const startOf = (bytes) => String.fromCharCode(...bytes.subarray(0, 4000));

/** Return the sentence that rejects a file that is not a text, or null. */
export function noText(bytes) {
  const start = startOf(bytes);
  const found = KINDS.find(([mark, word]) => start.startsWith(mark) && start.includes(word));
  if (found) return `The file is ${found[2]}, not a text. ${found[3]}.`;
  const encoding = encodingOf(start);
  if (encoding === "utf-32") return "The file is encoded in UTF-32. Save it as UTF-8.";
  return encoding === "utf-8" && start.includes("\0")
    ? "The file is not a text: it contains zero bytes. Save the table as CSV."
    : null;
}

/** Return the text of a file, and a note if its encoding is neither UTF-8 nor UTF-16. */
export function textOf(bytes) {
  const encoding = encodingOf(startOf(bytes));
  try {
    return {
      text: new TextDecoder(encoding, { fatal: encoding === "utf-8" }).decode(bytes),
      note: "",
    };
  } catch {
    const note =
      "The file is not encoded in UTF-8 or UTF-16. It was read as Windows-1252 (Western " +
      "European); if letters are wrong, save it as UTF-8.";
    return { text: new TextDecoder("windows-1252").decode(bytes), note };
  }
}
