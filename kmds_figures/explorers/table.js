const ENTRY_MOST = 9999;
/** Shorter than this share of the largest, an eigenvalue counts as zero here. */
const NEGLIGIBLE = 1e-9;
const FERRY = ["Barcelona", "Rome"];

/** A table, the roads or the straight lines, before and after some edits, and its constants. */
export function readTable({ labels, table, places }, { base, edits }) {
  const n = labels.length;
  const original = base === "straight" ? distances(fromRows(places), 2) : fromPairs(table, n);
  const D = original.slice();
  for (const [i, j, length] of edits) D[i * n + j] = D[j * n + i] = length;
  const [cailliez, lingoes] = ["cailliez", "lingoes"].map((method) => additiveConstant(D, n, method));
  const before = edits.length ? additiveConstant(original, n, "cailliez") : cailliez;
  return { original, D, constants: { cailliez, lingoes }, before };
}

/** The map of a table with a share of its constant added, turned onto the places, and its spectrum. */
export function readMap({ D, constants }, { method, share }, places) {
  const n = places.length / 2;
  const constant = share * constants[method];
  const delta = addConstant(D, constant, method);
  for (let i = 0; i < n; i++) delta[i * n + i] = 0;
  const fit = fitGram(halvedSquares(delta), n, 2);
  const fitted = procrustesAlign(padColumns(fit.points, fit.columns, n, 2), 2, places).points;
  const values = fit.spectrum();
  const zero = NEGLIGIBLE * largestModulus(values);
  const negative = values.filter((value) => value < -zero).length;
  const mass = negative ? negativeMass(values) : 0;
  const least = strain(fit.gram, fitted, n);
  const fits = goodnessOfFit(values, 2);
  return { constant, delta, gram: fit.gram, fitted, values, zero, negative, mass, least, fits };
}

/** ||B - YY'||^2 for the points with their mean at the origin. */
export function strain(B, points, n) {
  const Y = centredColumns(points, 2);
  return B.reduce((sum, b, at) => sum + (b - innerProduct(Y, Math.floor(at / n), Y, at % n, 2)) ** 2, 0);
}

/** A length as the table shows it, with a tenth only where it is not whole. */
const km = (length) => String(Math.round(10 * length) / 10);
const percent = (part) => (part > 0 && part < 0.0005 ? "less than 0.1 %" : `${text(100 * part, 1)} %`);
const isOrAre = (count) => (count === 1 ? "is" : "are");
const millions = (square) => text(square / 1e6, 3);

/** What the state comes to, in words: on the table, and on what was done to it. */
export function sentence(state, result, labels) {
  const { negative, mass, constant } = result;
  const head = negative
    ? `Not Euclidean: ${negative} of ${labels.length} eigenvalues ${isOrAre(negative)} negative, ${percent(mass)} of the spectrum.`
    : `Euclidean${constant ? ", with the constant" : ""}: no eigenvalue is negative.`;
  return { holds: negative === 0, head, reason: reasonOf(state, result, labels) };
}

function reasonOf(state, result, labels) {
  const { worst, constant, fits, strainRatio } = result;
  const { moved, edits, method, base } = state;
  const between = ({ i, j }) => `${labels[i]}\u2013${labels[j]}`;
  if (moved.length && worst.length) {
    const strained = strainRatio < 1e6 ? `is ${text(strainRatio, 2)} times the least` : "is no longer zero";
    return `You moved ${labels[moved[0]]}: the strain ${strained}, and ${between(worst[0])} disagrees most.`;
  }
  if (constant) {
    const [of, by] =
      method === "cailliez"
        ? ["Every entry", `${text(constant, 0)} km`]
        : ["The square of every entry", `2 \u00d7 ${millions(constant)} million km\u00b2`];
    return `${of} has grown by ${by}, and two axes hold ${percent(fits[0])} of the spectrum.`;
  }
  if (edits.length) {
    const [i, j, length] = edits.at(-1);
    const more = edits.length > 1 ? `, and ${edits.length - 1} more changed` : "";
    const [now, before] = [result.constants.cailliez, result.before].map((c) => text(c, 0));
    return `${between({ i, j })} is ${km(length)} km${more}: Cailliez\u2019s constant is ${now} km and was ${before} km.`;
  }
  if (base === "straight") return "Points in a plane have these distances: two eigenvalues, and the map agrees with every entry.";
  const { table, map } = worst[0];
  return `Map and table disagree most on ${between(worst[0])}: ${km(table)} km in the table, ${text(map, 0)} km on the map.`;
}

const TABLES = { roads: "the roads", ferry: "a ferry halves one", straight: "straight lines" };
const METHODS = {
  cailliez: "<i>\u03b4</i> + <i>c</i> <small>Cailliez</small>",
  lingoes: "\u221a(<i>\u03b4</i>\u00b2 + 2<i>c</i>) <small>Lingoes</small>",
};
const PAGE = `
  <p class="kx-question">Which entry of the table is wrong, and what changes when you mend it?</p>
  <div class="kx-bar" style="--order:6">${buttonGroup("Tables", "preset", TABLES, "samples")}<span>${RESET}</span></div>
  ${VERDICT}
  <div class="kx-columns">
    <div class="kx-column">
      <section style="--order:1"><p class="kx-title"><span class="kx-distance">Table \u0394</span> <small class="kx-control">click an entry, or use the arrow keys</small></p>
        <div data-part="table"></div></section>
      <section class="kx-control" style="--order:5">
        <div class="kx-entry"><select data-part="row" aria-label="first city"></select>
          <select data-part="column" aria-label="second city"></select>
          <label><input type="text" inputmode="decimal" autocomplete="off" data-part="entry"> km</label></div>
        <p class="kx-note kx-control" data-part="typed" aria-live="polite"></p></section>
      <section class="kx-control" style="--order:4"><p class="kx-title">Add a constant</p>
        <div class="kx-bar">${buttonGroup("Constant", "method", METHODS, "modes")}</div>
        <div data-part="constant"></div></section>
      <section style="--order:3"><p class="kx-title">Eigenvalues of <i>B</i> <small>as \u221a|<i>\u03bb</i>|, in 1000 km</small></p>
        <div data-part="spectrum"></div></section>
      <section style="--order:9">
        <table class="kx-list"><caption>Figures of the map and of the table</caption><tbody data-part="facts"></tbody></table></section>
    </div>
    <div class="kx-column">
      <section style="--order:2"><p class="kx-title">Map by classical scaling <small class="kx-control">drag one city</small></p>
        <div data-part="map"></div></section>
      <section style="--order:7"><p class="kx-note" data-part="square"></p>
        <table class="kx-list"><caption>The three entries on which map and table disagree most</caption>
          <thead><tr><th scope="col">disagree most (km)</th><th scope="col" class="kx-distance" data-part="entries"></th><th scope="col">map</th></tr></thead>
          <tbody data-part="worst"></tbody></table></section>
      <section style="--order:8"><p class="kx-title">Shepard diagram <small>a dot is a pair of cities</small></p>
        <div data-part="shepard"></div></section>
    </div>
  </div>`;

const FACTS = [
  ["goodness of fit (all |\u03bb|)", ({ fits }) => text(fits[0], 3)],
  ["goodness of fit (\u03bb > 0)", ({ fits }) => text(fits[1], 3)],
  ["negative mass", ({ mass }) => text(mass, 3)],
  ["Cailliez\u2019s constant of \u0394", ({ constants }) => `${text(constants.cailliez, 1)} km`],
  ["Lingoes\u2019s constant of \u0394", ({ constants }) => `${millions(constants.lingoes)} million km\u00b2`],
];

const CELL = 12;
const [LEFT, TOP] = [91, 16];
const SHADES = 8;

/** A path of unit squares of the table, for the entries [i, j] and their mirror images. */
function cellsPath(pairs) {
  const square = (i, j) => `M${LEFT + CELL * j} ${TOP + CELL * i}h${CELL}v${CELL}h${-CELL}z`;
  return pairs.map(([i, j]) => square(i, j) + square(j, i)).join("");
}

/** The entry that an arrow key leads to from [i, j]: the next one that is not on the diagonal. */
export function stepFrom([i, j], key, n) {
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  const [di, dj] = steps[key];
  const inside = ([a, b]) => a >= 0 && b >= 0 && a < n && b < n;
  const next = [1, 2].map((times) => [i + times * di, j + times * dj]);
  return next.find(([a, b]) => a !== b && inside([a, b])) ?? [i, j];
}

/** The names of the rows, and of the chosen column; returns a function that shows which two are chosen. */
function nameMargins(root, labels) {
  const rows = labels.map((_, i) => svg(root, "text", { class: "kx-name kx-row", x: LEFT - 4, y: TOP + CELL * (i + 0.5) }));
  rows.forEach((name, i) => (name.textContent = labels[i]));
  const column = svg(root, "text", { class: "kx-name kx-on", y: TOP / 2, "text-anchor": "middle" });
  const end = LEFT + CELL * labels.length;
  return ([i, j]) => {
    rows.forEach((name, at) => name.classList.toggle("kx-on", at === i));
    column.textContent = labels[j];
    set(column, { x: Math.min(end - 3.4 * labels[j].length, LEFT + CELL * (j + 0.5)) });
  };
}

/** Choose an entry by a press on it or by the arrow keys. */
function listenToCells(root, group, state, n) {
  group.addEventListener("click", (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(root.getScreenCTM().inverse());
    const [i, j] = [at.y - TOP, at.x - LEFT].map((v) => Math.min(n - 1, Math.max(0, Math.floor(v / CELL))));
    if (i !== j) state.choose([i, j]);
  });
  group.addEventListener("keydown", (event) => {
    if (event.key.startsWith("Arrow")) state.choose(stepFrom(state.chosen, event.key, n));
    else if (event.key === "Enter") state.field.select();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

/** The table as shaded cells, one of which is chosen; returns a function that draws it. */
function tablePanel(host, labels, state) {
  const n = labels.length;
  const viewBox = `0 0 ${LEFT + n * CELL + 2} ${TOP + n * CELL + 2}`;
  const label = `Table of ${n} by ${n} road distances: the stronger the colour of a cell, the longer the road`;
  const root = svg(host, "svg", { viewBox, class: "kx-chart", role: "group", "aria-label": label });
  const mark = nameMargins(root, labels);
  const group = svg(root, "g", {
    class: "kx-cells", role: "slider", tabindex: "0", "aria-label": "entry of the table",
    "aria-valuemin": 1, "aria-valuemax": n * n,
  });
  const side = n * CELL;
  svg(group, "rect", { x: LEFT, y: TOP, width: side, height: side, class: "kx-ground" });
  const shades = Array.from({ length: SHADES }, (_, k) =>
    svg(group, "path", { class: "kx-shade", "fill-opacity": (k + 1) / SHADES }),
  );
  const [edited, worst, chosen] = ["edited", "worst", "chosen"].map((kind) => svg(group, "path", { class: `kx-${kind}` }));
  listenToCells(root, group, state, n);
  let shown = null;
  return (D, result) => {
    if (shown !== D) {
      shown = D;
      const longest = largestModulus(D) || 1;
      const shadeOf = ([i, j]) => Math.min(SHADES - 1, Math.floor((SHADES * D[i * n + j]) / longest));
      const byShade = Array.from({ length: SHADES }, () => []);
      pairsAmong(n).forEach((pair) => byShade[shadeOf(pair)].push(pair));
      shades.forEach((path, k) => set(path, { d: cellsPath(byShade[k]) }));
    }
    set(edited, { d: cellsPath(state.edits) });
    set(worst, { d: cellsPath(result.worst.map(({ i, j }) => [i, j])) });
    set(chosen, { d: cellsPath([state.chosen]) });
    mark(state.chosen);
    const [i, j] = state.chosen;
    const words = `${labels[i]} to ${labels[j]}: ${km(D[i * n + j])} km`;
    set(group, { "aria-valuenow": i * n + j + 1, "aria-valuetext": words });
  };
}

/** The fields below the table; returns a function that fills them. */
function entryFields(part, labels, state) {
  const [row, column, field, note] = ["row", "column", "entry", "typed"].map(part);
  const options = labels.map((name, i) => `<option value="${i}">${name}</option>`).join("");
  [row, column].forEach((select, at) => {
    select.innerHTML = options;
    select.addEventListener("change", () => {
      const pair = [...state.chosen];
      pair[at] = Number(select.value);
      if (pair[0] === pair[1]) pair[1 - at] = state.chosen[at];
      state.choose(pair);
    });
  });
  numberField(field, state, {
    most: ENTRY_MOST, by: 10,
    get: () => state.length(),
    shown: () => km(state.length()),
    take: (number) => state.edit(number),
    refuse: (refusal) => (note.textContent = refusal),
  });
  state.field = field;
  return (D, original) => {
    const [i, j] = state.chosen;
    [row, column].forEach((select, at) => (select.children[state.chosen[at]].selected = true));
    set(field, { "aria-label": `entry for ${labels[i]} and ${labels[j]}, in kilometres` });
    const [now, before] = [D, original].map((table) => table[i * labels.length + j]);
    if (field.getAttribute("aria-invalid") === "true") return;
    if (field !== document.activeElement) field.value = km(now);
    note.textContent = now === before ? `Numbers from 0 to ${ENTRY_MOST}.` : `It was ${km(before)} km.`;
  };
}

/** The map, each city of which can be taken; returns a function that draws it. */
function mapPanel(host, note, labels, state) {
  const size = [340, 224];
  const drawing = plane(host, { width: size[0], height: size[1], unit: 50, label: "Map by classical scaling: cities to drag" });
  const link = svg(drawing.root, "line", { class: "kx-between" });
  const write = nameLayer(drawing.root, labels, size);
  let [drawn, scale] = [[], 1];
  const { spots, place } = takeable(drawing, labels.length, state, {
    places: () => drawn,
    get: () => drawn[state.chosen[0]].map(hundredth),
    move: (point) => (state.moved = [state.chosen[0], ...point.map((v) => Math.round(1000 * scale * v))]),
    said: () => ({ "aria-label": labels[state.chosen[0]] }),
    take(nearest) {
      const [i, j] = state.chosen;
      if (nearest !== i) state.choose([nearest, nearest === j ? i : j]);
    },
  });
  return ({ points, fitted }, moving) => {
    const over = fitted.map((v, at) => Math.abs(v) / 1000 / drawing.reach[at % 2]);
    scale = Math.max(1, ...over);
    note.textContent = `A square of the grid is ${text(1000 * scale, 0)} km wide.`;
    drawn = toRows(points, 2).map((row) => row.map((v) => v / 1000 / scale));
    const pixels = drawn.map(drawing.pixel);
    write(pixels, state.chosen, { moving });
    spots.forEach((spot, i) => spot.classList.toggle("kx-on", state.chosen.includes(i)));
    const [[x1, y1], [x2, y2]] = state.chosen.map((i) => pixels[i].map(tenth));
    set(link, { x1, y1, x2, y2 });
    place(pixels);
  };
}

/** All eigenvalues as bars of the height of their roots; returns a function that draws them. */
function rootsPanel(host, n) {
  const [width, height, left] = [340, 110, 24];
  const root = svg(host, "svg", { viewBox: `0 0 ${width} ${height}`, class: "kx-chart", role: "img" });
  const axis = svg(root, "g", { "aria-hidden": "true" });
  const hatch = hatching(root, "table");
  const kinds = ["kept", "rest", "minus"];
  const paths = kinds.map((kind) => svg(root, "path", { class: `kx-bar-${kind}` }));
  const hatched = svg(root, "path", { fill: hatch });
  const step = (width - left) / n;
  let shownEnds = null;
  return ({ values, zero, negative, mass }) => {
    const roots = values.map((value) => (Math.sign(value) * Math.sqrt(Math.abs(value))) / 1000);
    const [high, low] = [Math.max(7, roots[0]), Math.max(2, -roots[n - 1])];
    const y = (v) => tenth(4 + ((height - 8) * (high - v)) / (high + low));
    if (shownEnds !== `${high} ${low}`) {
      shownEnds = `${high} ${low}`;
      axis.replaceChildren();
      const every = high > 20 ? 10 : 2;
      const below = Math.floor(low / every);
      const ticks = Array.from({ length: Math.floor(high / every) + below + 1 }, (_, k) => every * (k - below));
      gridLines(axis, ticks, (v) => ({ x1: left, x2: width, y1: y(v), y2: y(v) }), (v) => ({ x: left - 4, y: y(v), "text-anchor": "end" }));
    }
    const bar = (r) => `M${tenth(left + step * (r + 0.12))} ${y(0)}h${tenth(0.76 * step)}V${y(roots[r])}h${-tenth(0.76 * step)}z`;
    const kindOf = (r) => (values[r] < 0 ? 2 : r < 2 ? 0 : 1);
    const shown = [...values.keys()].filter((r) => Math.abs(values[r]) > zero);
    paths.forEach((path, kind) => set(path, { d: shown.filter((r) => kindOf(r) === kind).map(bar).join("") }));
    set(hatched, { d: paths[2].getAttribute("d") });
    const most = `The largest is ${millions(values[0])} million square kilometres`;
    set(root, { "aria-label": `${n} eigenvalues as bars. ${most}; ${negative} ${isOrAre(negative)} negative, ${percent(mass)} of the spectrum.` });
  };
}

/** Distances on the map against those of the table; returns a function that draws the pairs. */
function shepardPanel(host, labels, state) {
  const [width, height, left, bottom] = [340, 220, 30, 34];
  const root = svg(host, "svg", { viewBox: `0 0 ${width} ${height}`, class: "kx-chart", role: "img" });
  const axes = svg(root, "g", { "aria-hidden": "true" });
  const diagonal = svg(root, "path", { class: "kx-equal" });
  const [dots, worst, chosen] = ["dots", "worst", "chosen"].map((kind) => svg(root, "path", { class: `kx-${kind}` }));
  const titles = [["table, with the constant (1000 km)", { x: (width + left) / 2, y: height - 4, "text-anchor": "middle" }],
    ["map (1000 km)", { x: 0, y: 8 }]];
  titles.forEach(([words, at]) => write(root, words, { ...at, class: "kx-tick" }));
  let shownTop = null;
  return ({ pairs, worst: three }) => {
    const most = Math.max(1, ...pairs.map(({ table, map }) => Math.max(table, map) / 1000));
    const top = Math.ceil(most * 1.02);
    const x = (v) => left + ((width - left - 6) * v) / top;
    const y = (v) => height - bottom - ((height - bottom - 22) * v) / top;
    const ticks = Array.from({ length: top + 1 }, (_, k) => k).filter((k) => k % Math.ceil(top / 8) === 0);
    if (shownTop !== top) {
      shownTop = top;
      axes.replaceChildren();
      gridLines(axes, ticks, (v) => ({ x1: x(0), x2: x(top), y1: y(v), y2: y(v) }), (v) => ({ x: left - 4, y: y(v), "text-anchor": "end" }));
      gridLines(axes, ticks, (v) => ({ x1: x(v), x2: x(v), y1: y(0), y2: y(top) }), (v) => ({ x: x(v), y: y(0) + 12, "text-anchor": "middle" }));
    }
    set(diagonal, { d: `M${x(0)} ${y(0)}L${x(top)} ${y(top)}` });
    const at = ({ table, map }) => [tenth(x(table / 1000)), tenth(y(map / 1000))];
    set(dots, { d: pairs.map((pair) => `M${at(pair).join(" ")}h0`).join("") });
    const square = (r) => (pair) => `M${at(pair).map((v) => tenth(v - r)).join(" ")}h${2 * r}v${2 * r}h${-2 * r}z`;
    set(worst, { d: three.map(square(4)).join("") });
    const isChosen = ({ i, j }) => state.chosen.includes(i) && state.chosen.includes(j);
    set(chosen, { d: pairs.filter(isChosen).map(square(6)).join("") });
    const near = pairs.filter(({ table, map }) => map < table - 0.05).length;
    const far = pairs.filter(({ table, map }) => map > table + 0.05).length;
    set(root, { "aria-label": `Shepard diagram of ${pairs.length} pairs: ${near} are nearer on the map than in the table, ${far} farther.` });
  };
}

/** The slider of the constant and its two kinds; returns a function that shows them. */
function constantPanel(el, host, state) {
  const choose = (method) => Object.assign(state, { method, moved: [] });
  const buttons = listenToButtons(el, state, { method: [choose, (method) => method === state.method] });
  const inWords = (value) => {
    const constant = (value / 100) * state.result.constants[state.method];
    return state.method === "cailliez" ? `${text(constant, 0)} km` : `${text(constant / 1e6, 2)} M km\u00b2`;
  };
  const show = range(host, state, {
    name: "c", least: 0, most: 100, step: 1, words: inWords,
    input(value) {
      state.share = value / 100;
      state.moved = [];
    },
  });
  const ends = host.appendChild(document.createElement("p"));
  ends.className = "kx-ends";
  return ({ constants }) => {
    show(Math.round(100 * state.share));
    host.querySelector("input").toggleAttribute("disabled", constants[state.method] === 0);
    buttons();
    const name = { cailliez: "Cailliez", lingoes: "Lingoes" }[state.method];
    ends.innerHTML = `<span>0: the table as it is</span><span>${name}\u2019s constant: Euclidean</span>`;
  };
}

/** The tables of figures and of the worst entries; returns a function that fills them. */
function figures(part, labels) {
  const facts = factRows(part("facts"), FACTS.map(([name]) => name), 1);
  const rows = factRows(part("worst"), ["", "", ""], 2);
  return (result) => {
    say(part("entries"), result.constant ? "with c" : "table");
    FACTS.forEach(([, value], row) => (facts[row][1].textContent = value(result)));
    rows.forEach((row, at) => {
      const pair = result.worst[at];
      const words = pair ? [`${labels[pair.i]}\u2013${labels[pair.j]}`, text(pair.table, 0), text(pair.map, 0)] : ["no other", "\u2013", "\u2013"];
      words.forEach((word, cell) => (row[cell].textContent = word));
    });
  };
}

/** What the state comes to, with the cities where they are shown; what has not changed is remembered. */
export function resultOf(state, data, memory = {}) {
  const once = (name, key, work) => {
    if (memory[name]?.key !== key) memory[name] = { key, value: work() };
    return memory[name].value;
  };
  const { base, edits, method, share } = state;
  const ofTable = JSON.stringify([base, edits]);
  const table = once("table", ofTable, () => readTable(data, state));
  const map = once("map", JSON.stringify([ofTable, method, share]), () => readMap(table, state, fromRows(data.places)));
  const points = map.fitted.slice();
  const [city, ...place] = state.moved;
  if (place.length) points.set(place, 2 * city);
  const n = data.labels.length;
  const pairs = disagreements(map.delta, points, n);
  const worst = pairs.slice(0, 3).filter((pair) => Math.abs(pair.map - pair.table) >= 0.05);
  return { ...table, ...map, points, pairs, worst, strainRatio: strain(map.gram, points, n) / map.least };
}

/** Whether a value is a pair of different objects out of n. */
const isPair = (value, n) =>
  areNumbers(value, 2, 0, n - 1) && value.every(Number.isInteger) && value[0] !== value[1];

/** What the traits may be, for n cities. */
function fitsFor(n) {
  const isEdit = (edit) =>
    areNumbers(edit, 3, 0, ENTRY_MOST) && isPair(edit.slice(0, 2), n) && edit[0] < edit[1];
  const areEdits = (value) =>
    Array.isArray(value) && value.every(isEdit) && new Set(value.map(([i, j]) => i * n + j)).size === value.length;
  const isMove = (value) => areNumbers(value, 0) || (areNumbers(value, 3, -1e5, 1e5) && isWhole(0, n - 1)(value[0]));
  return {
    base: isOneOf("roads", "straight"),
    edits: areEdits,
    method: isOneOf("cailliez", "lingoes"),
    share: (value) => areNumbers([value], 1, 0, 1),
    chosen: (value) => isPair(value, n),
    moved: isMove,
  };
}

/** What a reader does to the state. */
function actionsOn(state, n) {
  return {
    choose(pair) {
      state.chosen = pair;
      state.draw();
      state.save();
    },
    length: () => state.result.D[state.chosen[0] * n + state.chosen[1]],
    edit(typed) {
      const length = Math.round(10 * typed) / 10;
      const [i, j] = [...state.chosen].sort((a, b) => a - b);
      const others = state.edits.filter(([a, b]) => a !== i || b !== j);
      const isOld = km(state.result.original[i * n + j]) === km(length);
      state.edits = isOld ? others : [...others, [i, j, length]];
      state.moved = [];
      state.draw();
    },
  };
}

/** Follow the buttons of the presets; returns a function that marks the one on show. */
function listenToTables(el, state, { labels, table }) {
  const [i, j] = FERRY.map((name) => labels.indexOf(name)).sort((a, b) => a - b);
  const road = table[pairsAmong(labels.length).findIndex(([a, b]) => a === i && b === j)];
  const presets = {
    roads: { base: "roads", edits: [] },
    ferry: { base: "roads", edits: [[i, j, road / 2]] },
    straight: { base: "straight", edits: [] },
  };
  const show = (name) => {
    Object.assign(state, structuredClone(presets[name]), { share: 0, moved: [] });
    if (name === "ferry") state.chosen = [i, j];
  };
  return listenToButtons(el, state, { preset: [show, (name) => isLike(state, presets[name])] });
}

function render({ model, el }) {
  const part = openPage(el, PAGE);
  const data = Object.fromEntries(["labels", "table", "places"].map((name) => [name, model.get(name)]));
  const { labels } = data;
  const memory = {};
  const state = {};
  Object.assign(state, actionsOn(state, labels.length));
  const fields = entryFields(part, labels, state);
  const table = tablePanel(part("table"), labels, state);
  const panels = [
    (result) => fields(result.D, result.original), (result) => table(result.D, result),
    mapPanel(part("map"), part("square"), labels, state), rootsPanel(part("spectrum"), labels.length),
    shepardPanel(part("shepard"), labels, state), constantPanel(el, part("constant"), state), figures(part, labels), listenToTables(el, state, data),
  ];
  return enliven(state, {
    model, el, panels,
    fits: fitsFor(labels.length),
    loaded: () => (state.share = hundredth(state.share)),
    result: () => resultOf(state, data, memory),
    words: () => sentence(state, state.result, labels),
  });
}

export default { render, unlinked: ["labels", "table", "places"] };
