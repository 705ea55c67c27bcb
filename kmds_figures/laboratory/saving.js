// Saving: the map as a drawing that stands alone, its numbers, the Python and the notebook that do the same,
// and a reader’s own table, which outlives a reload in the browser alone.

const WRITTEN =
  "fill stroke stroke-width stroke-dasharray stroke-linecap opacity font-size font-family text-anchor dominant-baseline paint-order".split(" ");

/** The fonts of the page's style sheets in which a drawing is set, as data that it carries along. */
async function fontsOf(root) {
  const [family] = getComputedStyle(root).fontFamily.split(",");
  const marks = [...root.textContent].map((mark) => mark.codePointAt(0));
  const covers = (range) => {
    const [first, last] = range.replace(/u\+/i, "").split("-");
    return marks.some((mark) => mark >= parseInt(first, 16) && mark <= parseInt(last ?? first, 16));
  };
  const needed = ({ style }) =>
    style.fontFamily?.replace(/["']/g, "") === family.replace(/["']/g, "").trim() &&
    style.fontStyle !== "italic" &&
    !(parseInt(style.fontWeight, 10) > 500) &&
    (style.getPropertyValue("unicode-range") || "U+0-10FFFF").split(",").some((range) => covers(range.trim()));
  const faces = [...document.styleSheets].flatMap((sheet) =>
    [...sheet.cssRules]
      .filter((rule) => rule instanceof CSSFontFaceRule && needed(rule))
      .map((rule) => [new URL(rule.style.src.match(/url\("?([^")]+)/)[1], sheet.href ?? location.href), rule.style]),
  );
  const written = await Promise.all(
    faces.map(async ([address, style]) => {
      const data = await dataAddress(await (await fetch(address)).blob());
      const range = style.getPropertyValue("unicode-range");
      return `@font-face{font-family:${family};src:url(${data});${range ? `unicode-range:${range}` : ""}}`;
    }),
  );
  return written.join("");
}

const dataAddress = (blob) =>
  new Promise((done, failed) => {
    const reader = Object.assign(new FileReader(), { onload: () => done(reader.result), onerror: failed });
    reader.readAsDataURL(blob);
  });

/** A colour as old programs read it; other words stay as they are. */
function plainColour(words) {
  if (!/^(color|oklab|lab|oklch|lch)\(/.test(words)) return words;
  const pen = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
  pen.fillStyle = words;
  pen.fillRect(0, 0, 1, 1);
  const [red, green, blue] = pen.getImageData(0, 0, 1, 1).data;
  return `rgb(${red}, ${green}, ${blue})`;
}

/** Groups with their marks in rows below a drawing; returns the height that they need. */
function drawLegend(root, { kinds, look }, { width, top, long }) {
  let [x, y] = [16, top + 16];
  const layer = svg(root, "g", { class: "kl-legend" });
  kinds.forEach((kind, g) => {
    const reach = 14 + long(kind);
    if (x > 16 && x + reach > width - 12) [x, y] = [16, y + 20];
    const mark = svg(svg(layer, "g", { class: "kl-points" }), "path", look(g));
    set(mark, { transform: `translate(${x} ${y})` });
    svg(layer, "text", { x: x + 12, y, "dominant-baseline": "central" }).textContent = kind;
    x += reach + 18;
  });
  return kinds.length ? y + 16 - top : 0;
}

/** How wide words are in a style. */
function measure({ fontSize, fontFamily }) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `${fontSize} ${fontFamily}`;
  return (words) => pen.measureText(words).width;
}

/** What a task finds while the page is light, as paper is. */
function inLight(task) {
  const { dataset } = document.documentElement;
  const { theme } = dataset;
  dataset.theme = "light";
  const found = task();
  if (theme === undefined) delete dataset.theme;
  else dataset.theme = theme;
  return found;
}

/** The map as a drawing that stands alone: whole names, its groups, and the page's style and fonts. */
async function standalone(lab) {
  const host = lab.el.appendChild(document.createElement("div"));
  set(host, { style: "position: absolute; left: -9999px; top: 0", "aria-hidden": "true" });
  const long = measure(getComputedStyle(lab.view.root));
  const { root, size } = lab.view.copy(host, (words) => Math.ceil(long(words) / 6));
  const [width, top] = size;
  const height = top + drawLegend(root, lab.kinds, { width, top, long });
  const all = [...root.querySelectorAll("*")];
  const styleOf = (element) => {
    const style = getComputedStyle(element);
    return WRITTEN.map((name) => [name, plainColour(style.getPropertyValue(name))]);
  };
  const [styles, fill] = inLight(() => [all.map(styleOf), getComputedStyle(root).backgroundColor]);
  const fonts = await fontsOf(root).catch(() => "");
  host.remove();
  all.forEach((element, at) => set(element, Object.fromEntries(styles[at])));
  const box = { viewBox: `0 0 ${width} ${height}`, width, height };
  set(root, { ...box, xmlns: "http://www.w3.org/2000/svg" });
  root.insertBefore(svg(root, "rect", { width, height, fill }), root.firstChild);
  root.insertBefore(svg(root, "style"), root.firstChild).textContent = fonts;
  return new XMLSerializer().serializeToString(root);
}

function download(name, blob) {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(blob);
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
}

/** The chunk of a PNG that says 300 dots an inch; it follows on the 33 bytes of its head. */
const DOTS = [0, 0, 0, 9, 112, 72, 89, 115, 0, 0, 46, 35, 0, 0, 46, 35, 1, 120, 165, 63, 118];

/** Save a PNG with 300 dots to the inch, of which the page has 96. */
async function savePng(drawing) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing)}`;
  await image.decode();
  const [width, height] = [image.width, image.height].map((side) => Math.round((300 / 96) * side));
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  canvas.getContext("2d").drawImage(image, 0, 0, width, height);
  const whole = await new Promise((done) => canvas.toBlob(done));
  const parts = [whole.slice(0, 33), Uint8Array.from(DOTS), whole.slice(33)];
  download("map.png", new Blob(parts, { type: "image/png" }));
}

/** The table that was read, as CSV; its columns of words stand last where they count. */
export function tableCsv({ kind, table, columns, names, texts = [] }, { metric } = {}) {
  if (kind !== "points")
    return csvOf(table.map((_, i) => names?.[i] ?? String(i)), names, table);
  const [numbers, more] = [table[0].map((_, c) => columns[c] || `x${c + 1}`), metric === "gower" ? texts : []];
  const rows = table.map((row, i) => [...row, ...more.map(({ cells }) => cells[i])]);
  return csvOf([...numbers, ...more.map(({ title }) => title)], names, rows);
}

/** A notebook with the library's line, the table and the Python that maps it. */
export function notebookOf(csv, code, library) {
  const lines = (words) => words.match(/.*\n|.+$/g) ?? [];
  const cell = (source) => ({
    cell_type: "code",
    execution_count: null,
    metadata: {},
    outputs: [],
    source: lines(source.trimEnd()),
  });
  const needed = `try:\n    import kmds_lib\nexcept ImportError:\n    %pip install --quiet "${library}"`;
  const alone = code.replace(/^# pip install.*\n/, "");
  const title = { cell_type: "markdown", metadata: {}, source: ["# A map of my table"] };
  return JSON.stringify({
    cells: [title, cell(needed), cell(`%%writefile table.csv\n${csv}`), cell(alone), cell("points")],
    metadata: {
      kernelspec: { display_name: "Python 3", language: "python", name: "python3" },
      language_info: { name: "python" },
    },
    nbformat: 4,
    nbformat_minor: 4,
  });
}

async function saveAs(lab, kind) {
  const { reading, fit, shown } = lab;
  const words = (name, type, text) => download(name, new Blob([text], { type }));
  if (kind === "points") return words("points.csv", "text/csv", pointsCsv(fit, reading.names, shown));
  if (kind === "table") return words("table.csv", "text/csv", tableCsv(reading, fit.choices));
  if (kind === "notebook") {
    return words("map.ipynb", "application/json", notebookOf(tableCsv(reading, fit.choices), lab.code(), lab.library));
  }
  const drawing = await standalone(lab);
  return kind === "png" ? savePng(drawing) : words("map.svg", "image/svg+xml", drawing);
}

/** A table as CSV in which names and numbers are written in full. */
export function csvOf(header, names, rows) {
  const quoted = (cell) => (/[",\n]/.test(cell) ? `"${cell.replace(/"/g, '""')}"` : cell);
  const lines = rows.map((row, i) => [quoted(names?.[i] ?? String(i)), ...Array.from(row, (cell) => quoted(String(cell)))].join(","));
  return `${[["name", ...header].map(quoted).join(","), ...lines].join("\n")}\n`;
}

/** The points of a map as CSV: one column for each axis that it fills. */
export function pointsCsv(fit, names, points = fit.points) {
  const k = axesOf(fit);
  const rows = toRows(points, fit.choices.dimensions).map((row) => row.slice(0, k));
  return csvOf(Array.from({ length: k }, (_, c) => `y${c + 1}`), names, rows);
}

/** What reads the table, and what makes of it the input of the method: [name, imports, lines, others]. */
function inputLines({ kind, table, texts = [] }, { method, metric }) {
  const name = { points: "X", gram: "K", dissimilarities: "D" }[kind];
  const p = table[0].length;
  const mixed = metric === "gower" && texts.length > 0;
  const lines = [`${name} = np.array([row[1:${mixed ? p + 1 : ""}] for row in rows], dtype=float)`];
  if (kind === "points" && metric === "standardised") {
    lines.push(
      "spread = X.std(axis=0)",
      "spread[spread <= 1e-12 * np.abs(X).max()] = np.inf",
      "X = (X - X.mean(axis=0)) / spread",
    );
  }
  if (kind === "points" && !hasPoints(metric)) {
    const [others, made] = metricLines(metric, mixed ? p : 0);
    return ["D", [], [...lines, ...made], others];
  }
  const direct = method === "pca" || method === "kpca" || kind === "dissimilarities";
  if (direct) return [name, [], lines, []];
  const from = kind === "points" ? "distances" : "similarities_to_dissimilarities";
  return ["D", [from], [...lines, `D = ${from}(${name})`], []];
}

/** The rows of the landmarks in Python. */
const landmarkRows = (n) => `np.arange(${LANDMARKS}) * ${landmarkStep(n)} % ${n}`;

/** Python that does the same, with the table that is saved as table.csv; it begins with what it needs. */
export function pythonCode(reading, choices, { columns = choices.dimensions, library = "" } = {}) {
  const { method, additive, kernel, parameter, scale, transform, dimensions } = choices;
  const { kind, table, made: source = "" } = reading;
  const [name, needed, lines, others] = inputLines(reading, choices);
  const made =
    kernel === "Polynomial" ? `Polynomial(${parameter}, 1.0, ${scale})` : `${kernel}(${parameter})`;
  const k = method === "pca" ? Math.min(dimensions, table[0].length) : dimensions;
  const direct = method === "kpca" && kind === "gram";
  const calls = {
    classical: ["classical_scaling", additive ? `, additive="${additive}"` : ""],
    pca: ["pca", ""],
    kmds: ["kernel_mds", `, ${made}`],
    kpca: direct ? ["kernel_pca_from_gram", ""] : ["kernel_pca", `, ${made}`],
    landmarks: ["landmark_scaling", `, metric="precomputed", landmarks=${landmarkRows(table.length)}`],
    stress: ["smacof", `, transform="${transform}", tol=1e-6${isPatchy(table) ? ", weights=~np.isnan(D)" : ""}`],
  };
  const [call, options] = calls[table.length > MOST.whole ? "landmarks" : method];
  const byKernel = options.includes(made);
  const parts = byKernel ? `${name}${options}, n_components=${k}` : `${name}, n_components=${k}${options}`;
  const imports = [call, ...needed, ...(byKernel ? [kernel] : [])].sort();
  const figures = method === "stress" ? "fit.stress" : "fit.explained, fit.negative_mass";
  return [
    ...(library ? [`# pip install "${library}"`] : []),
    "import csv",
    "",
    "import numpy as np",
    `from kmds_lib import ${imports.join(", ")}`,
    ...others,
    "",
    ...(source ? [`# table.csv holds ${source}`] : []),
    'with open("table.csv", newline="", encoding="utf-8") as file:',
    "    header, *rows = csv.reader(file)",
    ...lines,
    `fit = ${call}(${parts})`,
    `print(${figures})`,
    ...turnLines(choices.turn ?? UNTURNED, dimensions, columns),
    ...(choices.arrows && kind === "points" ? ARROW_LINES : []),
    "",
  ].join("\n");
}

const KEPT = "laboratory";

/** What a task gives, or else something, where the browser keeps nothing, or not so much. */
function ifKept(task, otherwise) {
  try {
    return task();
  } catch {
    return otherwise;
  }
}

/** Keep a reading, and say whether it is kept. */
const keepTable = (reading) => ifKept(() => localStorage.setItem(KEPT, JSON.stringify(reading)) ?? true, false);

/** Rows of numbers; what JSON could not write is a number that is missing. */
const withHoles = (table) => table.map((row) => row.map((x) => x ?? NaN));

/** The reading that was kept, or null. */
function keptTable() {
  const restored = (reading) => reading && { ...reading, table: withHoles(reading.table) };
  return ifKept(() => restored(JSON.parse(localStorage.getItem(KEPT))), null);
}

const forgetTable = () => ifKept(() => localStorage.removeItem(KEPT));
