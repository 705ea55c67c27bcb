const [FEWEST_POINTS, FEWEST, MOST] = [40, 2, 15];
/** An edge is a short circuit where it is so many times as long on the sheet as in space. */
const SHORT_CIRCUIT = 2;
/** A map that misses less of the sheet's variance than this has unrolled it. */
const UNROLLED = 0.1;
const [SHADES, LISTED, MOST_CUT] = [8, 3, 60];
/** Numbers of points and of neighbours. */
const PRESETS = { five: [100, 5], many: [100, 7], dense: [200, 7], apart: [200, 2] };

/** The first points of a roll, with their distances in space and on the sheet. */
export function rollOf({ points, sheet }, n) {
  const [X, places] = [points, sheet].map((rows) => fromRows(rows.slice(0, n)));
  return { n, D: distances(X, 3), onSheet: distances(places, 2), places };
}

/** The edges i < j of a graph with both lengths. */
function edgesOf(graph, { n, D, onSheet }) {
  const edge = (i, j) => ({ i, j, space: D[i * n + j], sheet: onSheet[i * n + j] });
  return graph.flatMap((near, i) => near.filter((j) => j > i).map((j) => edge(i, j)));
}

/** The part of all pairs whose shortest path runs over it. */
function shareOver({ i, j, space }, geodesics, n) {
  let count = 0;
  for (let a = 0; a < n; a++) {
    for (let b = 0; b < a; b++) {
      const there = geodesics[a * n + i] + geodesics[j * n + b];
      const back = geodesics[a * n + j] + geodesics[i * n + b];
      if (Math.min(there, back) + space <= geodesics[a * n + b] * (1 + TIE)) count++;
    }
  }
  return count / ((n * (n - 1)) / 2);
}

/** Take edges out of a graph; those that it does not have do not matter. */
function withoutEdges(graph, cut) {
  const isCut = (i, j) => cut.some(([a, b]) => (a === i && b === j) || (a === j && b === i));
  return cut.length ? graph.map((near, i) => near.filter((j) => !isCut(i, j))) : graph;
}

/** Why there is no map: as the library says it, unless it was the reader who cut the graph apart. */
function apartSentence(whole, { n, D }, k) {
  const parts = components(whole);
  if (parts.length === 1) return "Without the edges that you cut the graph falls apart.";
  return fallsApart(parts, k, joiningCount(D, n, k));
}

/** Isomap of a roll with k neighbours, some edges cut, turned onto the sheet. */
export function mapOf(roll, k, cut, start = null) {
  const { n, D, places } = roll;
  const whole = symmetricGraph(nearestNeighbors(D, n, k));
  const graph = withoutEdges(whole, cut);
  const taken = edgesOf(whole, roll).filter(({ i, j }) => !graph[i].includes(j));
  const edges = edgesOf(graph, roll);
  const short = edges.filter(({ space, sheet }) => sheet > SHORT_CIRCUIT * space);
  const found = { n, k, edges, short, taken };
  if (components(graph).length > 1) return { ...found, apart: apartSentence(whole, roll, k) };
  const geodesics = shortestPaths(graph, D, n);
  const fit = fitGram(halvedSquares(geodesics), n, 2, { start });
  const { points, residual } = procrustesAlign(padColumns(fit.points, fit.columns, n, 2), 2, places);
  const centred = centredColumns(places, 2);
  const missed = residual ** 2 / dot(centred, centred);
  const detour = short.length || missed < UNROLLED ? null : detourOf(geodesics, roll);
  return { ...found, points, missed, detour, mass: negativeMass(fit.spectrum()), geodesics, block: fit.block };
}

/** How many times as long as on the sheet a path is: the median of all pairs. */
function detourOf(geodesics, { n, onSheet }) {
  const ratios = [];
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) ratios.push(geodesics[i * n + j] / onSheet[i * n + j]);
  return ratios.sort((a, b) => a - b)[ratios.length >> 1];
}

/** Short circuits, those first that most paths run over. */
export function blamed({ short, geodesics, n }) {
  const rate = (edge) => (geodesics ? shareOver(edge, geodesics, n) : 0);
  return short.map((edge) => ({ ...edge, share: rate(edge) })).sort((a, b) => b.share - a.share || b.sheet / b.space - a.sheet / a.space);
}

const percent = (part) => `${text(100 * part, 1)} %`;

/** What the state comes to, in words. */
export function verdict(result) {
  const { apart, edges, short, missed, k } = result;
  if (apart) return { holds: false, head: `With κ = ${k} there is no map.`, reason: apart };
  const one = `${short.length} of ${edges.length} edges ${short.length === 1 ? "is a short circuit" : "are short circuits"}`;
  const unrolls = missed < UNROLLED;
  const heads = short.length
    ? [`The roll does not unroll: ${one}.`, `The roll unrolls, although ${one}.`]
    : ["No edge is a short circuit, and yet the map is not the sheet.", `The roll unrolls: none of ${edges.length} edges is a short circuit.`];
  return { holds: unrolls, head: heads[Number(unrolls)], reason: whyOf(result) };
}

function whyOf({ taken, mass, massBefore, worst, n, k, missed, detour }) {
  const now = `the negative mass is ${text(mass, 3)}`;
  if (taken.length) {
    const [gone, it] = taken.length === 1 ? [`edge ${taken[0].i}–${taken[0].j}`, "it"] : [`${taken.length} edges`, "them"];
    return `Without ${gone} ${now}${massBefore === undefined ? "" : `; with ${it} it was ${text(massBefore, 3)}`}.`;
  }
  if (!worst.length) {
    const before = detour ? `Its edges are few: the median path is ${text(detour, 2)} times as long as on the sheet.` : `κ = ${k} joins all ${n} points.`;
    const gap = missed < 1 ? `misses ${percent(missed)} of the sheet` : "is farther from the sheet than one point would be";
    return `${before} The map ${gap}, and ${now}.`;
  }
  const { i, j, space, sheet, share } = worst[0];
  const lengths = `Edge ${i}–${j} is ${text(space, 1)} long in space and ${text(sheet, 1)} on the sheet`;
  return `${lengths}, and ${percent(share)} of all shortest paths run over it; ${now}.`;
}

/** What the presets make of a state, for so many points. */
function presetsFor(most) {
  const preset = ([name, [n, k]]) => [name, { n_points: Math.min(most, n), n_neighbors: k, cut: [] }];
  return Object.fromEntries(Object.entries(PRESETS).map(preset));
}

/** What stands on a button of a preset. */
const named = ([name, { n_neighbors: k, n_points: n }]) => [name, `<i>κ</i> = ${k}, <i>n</i> = ${n}`];

const pageOf = (presets) => `
  <p class="kx-question">At which <i>κ</i> does the roll stop unrolling, and which edge is to blame?</p>
  <div class="kx-bar" style="--order:5">${buttonGroup("Graphs", "preset", Object.fromEntries(Object.entries(presets).map(named)), "samples")}<span>${RESET}</span></div>
  ${VERDICT}
  <div class="kx-columns">
    <div class="kx-column">
      <section style="--order:1"><p class="kx-title">The roll <small class="kx-control">drag it, or use the arrow keys</small></p>
        <div data-part="roll"></div></section>
      <section class="kx-control" style="--order:3" data-part="sliders"></section>
      <section style="--order:6"><div class="kx-bar">${buttonGroup("View", "view", { side: "from the side", turned: "turned" }, "modes")}</div>
        <p class="kx-key"><span class="kx-wire">edge</span><span class="kx-wrong">short circuit</span><span class="kx-gone">cut</span></p></section>
      <section style="--order:8"><table class="kx-list"><caption>Figures of graph and map</caption><tbody data-part="facts"></tbody></table></section>
    </div>
    <div class="kx-column">
      <section style="--order:2"><p class="kx-title">Isomap’s map <small>turned onto the sheet</small></p>
        <div data-part="map"></div></section>
      <section class="kx-control" style="--order:7"><table class="kx-list kx-blame"><caption>The worst short circuits</caption>
          <thead><tr><th scope="col">short circuit</th><th scope="col" class="kx-distance">space</th><th scope="col">sheet</th><th scope="col">paths</th><td></td></tr></thead>
          <tbody data-part="blame"></tbody></table>
        <div class="kx-bar"><button type="button" class="kx-action" data-part="back">put back</button></div></section>
      <section style="--order:4"><p class="kx-title">Negative mass <small>for each <i>κ</i>, no edge cut</small></p>
        <div data-part="curve"></div></section>
    </div>
  </div>`;

const FACTS = [
  ["edges", ({ edges }) => String(edges.length)],
  ["short circuits", ({ short }) => String(short.length)],
  ["negative mass", ({ mass }) => (mass === undefined ? "–" : text(mass, 3))],
  ["sheet’s variance missed", ({ missed }) => (missed === undefined ? "–" : percent(missed))],
];

/** For each point its third of the sheet, which is its shape, and its shade. */
function marksOf(sheet) {
  const along = sheet.map(([place]) => place);
  const [low, high] = [Math.min(...along), Math.max(...along)];
  return along.map((place) => {
    const part = Math.min(0.999, (place - low) / (high - low || 1));
    return { shape: Math.floor(3 * part), shade: Math.floor(SHADES * part) };
  });
}

/** A circle, a square or a triangle of some size around a place. */
function shapePath(shape, [x, y], r) {
  const [left, top, wide] = [x - 0.9 * r, y - 0.9 * r, 1.8 * r].map(tenth);
  if (shape === 0) return `M${tenth(x - r)} ${tenth(y)}a${r} ${r} 0 1 0 ${2 * r} 0 ${r} ${r} 0 1 0-${2 * r} 0z`;
  if (shape === 1) return `M${left} ${top}h${wide}v${wide}h-${wide}z`;
  return `M${tenth(x)} ${tenth(y - 1.3 * r)}l${tenth(1.2 * r)} ${tenth(2.2 * r)}h-${tenth(2.4 * r)}z`;
}

/** Lines of edges between places in a drawing, in whole units. */
function edgesPath(edges, at) {
  const whole = (i) => at[i].map(Math.round).join(" ");
  return edges.map(({ i, j }) => `M${whole(i)}L${whole(j)}`).join("");
}

/** A drawing of a graph; returns a function that draws it, what is farther off first. */
function graphLayers(parent, marks, size) {
  const path = (name) => svg(parent, "path", { class: name });
  const [far, wires] = [path("kx-wire kx-far"), path("kx-wire")];
  const spots = [1, 0].flatMap((half) => Array.from({ length: SHADES }, (_, shade) => ({ half, shade, path: path(`kx-grain kx-shade-${shade}`) })));
  const [gone, wrong, worst] = ["kx-gone", "kx-wrong", "kx-wrong kx-worst-edge"].map(path);
  const ends = [0, 1].map(() => svg(parent, "text", { class: "kx-name kx-on", "text-anchor": "middle" }));
  const nameEnds = (pair, at) => {
    const boxes = nameBoxes(pair.map((i) => at[i]), pair.map(String), [...pair.keys()], size);
    ends.forEach((mark, end) => {
      mark.textContent = boxes[end] ? pair[end] : "";
      if (!boxes[end]) return;
      const [x, y] = middleOf(boxes[end].box).map(tenth);
      set(mark, { x, y });
    });
  };
  return ({ edges, short, taken, worst: [first] }, at, depth = at.map(() => 0)) => {
    const behind = ({ i, j }) => depth[i] + depth[j] > 0;
    const plain = edges.filter((edge) => !short.includes(edge));
    set(far, { d: edgesPath(plain.filter(behind), at) });
    set(wires, { d: edgesPath(plain.filter((edge) => !behind(edge)), at) });
    set(gone, { d: edgesPath(taken, at) });
    set(wrong, { d: edgesPath(short, at) });
    const ring = (i) => shapePath(0, at[i], 8);
    set(worst, { d: first ? edgesPath([first], at) + ring(first.i) + ring(first.j) : "" });
    nameEnds(first ? [first.i, first.j] : [], at);
    for (const { half, shade, path: spot } of spots) {
      const shown = at.map((place, i) => (marks[i].shade === shade && depth[i] > 0 === Boolean(half) ? shapePath(marks[i].shape, place, 3.6) : ""));
      set(spot, { d: shown.join("") });
    }
  };
}

/** Where points stand on the screen, and how far behind it, from a view [turn, tilt] in degrees. */
export function seenFrom(points, [turn, tilt]) {
  const [a, e] = [turn, tilt].map((degrees) => (degrees * Math.PI) / 180);
  return points.map(([x, y, z]) => {
    const [across, away] = [x * Math.cos(a) + y * Math.sin(a), y * Math.cos(a) - x * Math.sin(a)];
    return [across, -(z * Math.cos(e) + away * Math.sin(e)), away * Math.cos(e) - z * Math.sin(e)];
  });
}

const degreesOf = (turn) => ((((turn + 180) % 360) + 360) % 360) - 180;
const upright = (tilt) => Math.max(-90, Math.min(90, tilt));

/** The roll in space, which mouse, touch and keys turn; returns a function that draws it. */
function rollPanel(host, { points }, marks, state) {
  const [width, height] = [340, 220];
  const middle = columnMeans(fromRows(points), 3);
  const centred = points.map((row) => row.map((v, c) => v - middle[c]));
  const unit = (height / 2 - 10) / Math.max(...centred.map((row) => Math.hypot(...row)));
  const root = svg(host, "svg", { viewBox: `${-width / 2} ${-height / 2} ${width} ${height}`, class: "kx-plane", role: "group", "aria-label": "The roll in space" });
  const group = svg(root, "g", {
    class: "kx-handle kx-turntable", role: "slider", tabindex: "0", "aria-label": "view of the roll",
    "aria-valuemin": -180, "aria-valuemax": 180,
  });
  svg(group, "rect", { x: 2 - width / 2, y: 2 - height / 2, width: width - 4, height: height - 4, class: "kx-stage" });
  const draw = graphLayers(group, marks, [width, height]);
  listenToTurns(group, state);
  return () => {
    const { result, view } = state;
    const seen = seenFrom(centred.slice(0, result.n), view);
    draw(result, seen.map(([x, y]) => [unit * x, unit * y]), seen.map(([, , away]) => away));
    set(group, { "aria-valuenow": view[0], "aria-valuetext": `turned by ${text(view[0], 0)} degrees, tilted by ${text(view[1], 0)}` });
  };
}

/** Turn the view with a pointer or keys. */
function listenToTurns(group, state) {
  grabbable(group, {
    take: (event) => ({ x: event.clientX, y: event.clientY, view: state.view }),
    move(event, { x, y, view: [turn, tilt] }) {
      const [across, down] = [event.clientX - x, event.clientY - y].map((v) => Math.round(0.6 * v));
      state.turn([degreesOf(turn - across), upright(tilt + down)]);
    },
    keys: {
      ArrowLeft: [5, 0], ArrowRight: [-5, 0], ArrowUp: [0, -5], ArrowDown: [0, 5],
      PageUp: [0, -30], PageDown: [0, 30], Home: [0, 0, -180], End: [0, 0, 180],
    },
    step([across, down, end]) {
      const [turn, tilt] = state.view;
      state.turn([end ?? degreesOf(turn + across), upright(tilt + down)]);
    },
    release: () => state.save(),
  });
}

/** Isomap's map; returns a function that draws it. */
function isomapPanel(host, { sheet }, marks) {
  const columns = [0, 1].map((c) => sheet.map((row) => row[c]));
  const longest = Math.max(...columns.map((column) => Math.max(...column) - Math.min(...column)));
  const step = 10 ** Math.floor(Math.log10(longest / 2));
  const drawing = plane(host, { width: 340, height: 210, unit: (step * 170) / (0.72 * longest), label: "Isomap’s map" });
  const group = svg(drawing.root, "g", { role: "img" });
  const draw = graphLayers(group, marks, [340, 210]);
  const words = svg(drawing.root, "text", { class: "kx-name kx-empty", "text-anchor": "middle" });
  const middle = columnMeans(fromRows(sheet), 2);
  return (result) => {
    const { points, short, missed } = result;
    words.textContent = points ? "" : "no map";
    const rows = points ? toRows(points, 2).map((row) => row.map((v, c) => (v - middle[c]) / step)) : [];
    const scale = Math.max(1, ...rows.flatMap((row) => row.map((v, c) => Math.abs(v) / drawing.reach[c])));
    draw(points ? result : { edges: [], short: [], taken: [], worst: [] }, rows.map((row) => drawing.pixel(row.map((v) => v / scale))));
    const shape = missed < UNROLLED ? "a flat strip like the sheet" : "no flat strip";
    const seen = `A map of ${rows.length} points with ${plural(short.length, "short circuit")}: ${shape}.`;
    set(group, { "aria-label": points ? seen : "no map" });
  };
}

/** Negative mass against the number of neighbours; returns a function that draws it. */
function curvePanel(host) {
  const [width, height, left, bottom, top] = [340, 154, 30, 36, 0.3];
  const root = svg(host, "svg", { viewBox: `0 0 ${width} ${height}`, class: "kx-chart", role: "img" });
  const x = (k) => left + ((width - left - 14) * (k - FEWEST + 0.5)) / (MOST - FEWEST + 0.5);
  const y = (mass) => height - bottom - ((height - bottom - 8) * Math.min(mass, top)) / top;
  const axes = svg(root, "g", { "aria-hidden": "true" });
  const note = (words, [x, y], anchor) => write(axes, words, { x, y, "text-anchor": anchor, class: "kx-tick" });
  for (const mass of [0, 0.1, 0.2, 0.3]) {
    svg(axes, "path", { d: `M${left} ${y(mass)}H${width}`, class: mass ? "kx-rule" : "kx-axis" });
    note(text(mass, 1), [left - 4, y(mass)], "end");
  }
  for (let k = FEWEST; k <= MOST; k++) note(k, [x(k), y(0) + 11], "middle");
  svg(axes, "path", { d: `M${left} ${y(0.25)}H${width}`, class: "kx-quarter" });
  note("¼, a loop", [left + 4, y(0.25) - 8], "start");
  note("neighbours κ (×: falls apart)", [(left + width) / 2, height - 9], "middle");
  const hatch = hatching(root, "neighbors");
  const [whole, wrong, apart, now] = ["kx-bar-kept", "kx-bar-minus", "kx-apart", "kx-now"].map((name) => svg(root, "path", { class: name }));
  const hatched = svg(root, "path", { fill: hatch });
  return (curve, { k, mass }) => {
    const some = (fits) => curve.map((found, at) => [at + FEWEST, found]).filter(([, found]) => found && fits(found));
    const mark = (shape) => ([count, found]) => shapePath(shape, [x(count), y(found.mass)], 4.5);
    set(whole, { d: some((found) => !found.apart && !found.short.length).map(mark(0)).join("") });
    set(wrong, { d: some((found) => !found.apart && found.short.length).map(mark(1)).join("") });
    set(hatched, { d: wrong.getAttribute("d") });
    const cross = ([count]) => `M${tenth(x(count) - 4)} ${tenth(y(0) - 12)}l8 8m0 -8l-8 8`;
    set(apart, { d: some((found) => found.apart).map(cross).join("") });
    set(now, { d: shapePath(0, [x(k), mass === undefined ? y(0) - 8 : y(mass)], 8) });
    set(root, { "aria-label": `Negative mass against the number of neighbours; with ${k} it is ${mass === undefined ? "not defined" : text(mass, 3)}.` });
  };
}

/** The tables, with the buttons that cut an edge and put all back; returns a function that fills them. */
function blameTables(part, state) {
  const facts = factRows(part("facts"), FACTS.map(([name]) => name), 1);
  part("blame").innerHTML = '<tr><th scope="row"></th><td></td><td></td><td></td><td><button type="button" class="kx-action">cut</button></td></tr>'.repeat(LISTED);
  const rows = [...part("blame").children];
  const buttons = rows.map((row) => row.querySelector("button"));
  const focusOn = (button, other) => (button.disabled ? other : button).focus();
  buttons.forEach((button, at) =>
    button.addEventListener("click", () => {
      const { i, j } = state.result.worst[at];
      state.change({ cut: [...state.cut, [i, j]] });
      focusOn(button, part("back"));
    }),
  );
  part("back").addEventListener("click", () => {
    state.change({ cut: [] });
    focusOn(part("back"), buttons[0]);
  });
  return (result) => {
    FACTS.forEach(([, value], row) => (facts[row][1].textContent = value(result)));
    rows.forEach((row, at) => {
      const edge = result.worst[at];
      const name = edge ? `${edge.i}–${edge.j}` : at ? "" : "none";
      const numbers = edge ? [text(edge.space, 1), text(edge.sheet, 1), result.apart ? "–" : percent(edge.share)] : ["", "", ""];
      [name, ...numbers].forEach((word, cell) => (row.children[cell].textContent = word));
      row.style.visibility = name ? "" : "hidden";
      buttons[at].disabled = !edge || state.cut.length >= MOST_CUT;
      set(buttons[at], { "aria-label": edge ? `cut edge ${name}` : "no edge to cut" });
    });
    const taken = state.cut.length;
    part("back").disabled = !taken;
    part("back").textContent = taken ? `put ${plural(taken, "edge")} back` : "put back";
  };
}

const keyOf = (k, cut) => JSON.stringify([k, cut]);

/** Vectors in rows, for more or fewer points than they were found for. */
function resized(block, from, to) {
  const rows = new Float64Array((block.length / from) * to);
  for (let r = 0; r * to < rows.length; r++) rows.set(block.subarray(r * from, r * from + Math.min(from, to)), r * to);
  return rows;
}

/** The map with k neighbours, found once for each number of points; it begins at the last one. */
function remembered(memory, k, cut) {
  const { maps, roll, last } = memory;
  const start = last ? resized(last.block, last.n, roll.n) : null;
  const found = (maps[keyOf(k, cut)] ??= mapOf(roll, k, cut, start));
  if (found.block) memory.last = found;
  found.worst ??= blamed(found);
  return found;
}

/** What the state comes to. */
export function graphResult({ n_points: n, n_neighbors: k, cut }, data, memory = {}) {
  if (memory.roll?.n !== n) Object.assign(memory, { roll: rollOf(data, n), maps: {} });
  const result = remembered(memory, k, cut);
  if (result.taken.length) result.massBefore = remembered(memory, k, []).mass;
  return result;
}

/** What is known for each number of neighbours, no edge cut. */
const curveOf = ({ maps }) => Array.from({ length: MOST - FEWEST + 1 }, (_, at) => maps[keyOf(at + FEWEST, [])]);

/** Find one value more of the curve; false where all are there. */
function findNext(memory) {
  const at = curveOf(memory).indexOf(undefined);
  if (at >= 0) remembered(memory, at + FEWEST, []);
  return at >= 0;
}

/** What the traits may be, for so many points. */
function fitsFor(most) {
  const isPair = (pair) => areNumbers(pair, 2, 0, most - 1) && pair.every(Number.isInteger) && pair[0] < pair[1];
  return {
    n_points: isWhole(FEWEST_POINTS, most),
    n_neighbors: isWhole(FEWEST, MOST),
    cut: isListOf(isPair, 0, MOST_CUT),
    view: (value) => isWithin([180, 90])(value) && value.every(Number.isInteger),
  };
}

/** Follow the buttons of presets and views; returns a function that marks those on show. */
function buttonPanel(el, state, presets) {
  const views = { side: { view: [0, 0] }, turned: { view: [35, 20] } };
  const among = (states) => [(name) => Object.assign(state, structuredClone(states[name])), (name) => isLike(state, states[name])];
  return listenToButtons(el, state, { preset: among(presets), view: among(views) });
}

/** Draw the curve value by value; at once where there are no frames. */
function unfoldCurve(el, state, memory, draw) {
  if (typeof requestAnimationFrame === "undefined") {
    while (findNext(memory));
    draw();
    return;
  }
  const step = () => {
    if (!el.isConnected || !findNext(memory)) return;
    draw();
    state.waiting = setTimeout(step, 30);
  };
  clearTimeout(state.waiting);
  state.waiting = setTimeout(step, 150);
}

function render({ model, el }) {
  const data = { points: model.get("points"), sheet: model.get("sheet") };
  const [most, marks, memory, state] = [data.points.length, marksOf(data.sheet), {}, {}];
  const presets = presetsFor(most);
  const part = openPage(el, pageOf(presets));
  const [roll, buttons, curve] = [rollPanel(part("roll"), data, marks, state), buttonPanel(el, state, presets), curvePanel(part("curve"))];
  const drawCurve = () => curve(curveOf(memory), state.result);
  const turns = eachFrame(() => [roll, buttons].forEach((panel) => panel()));
  state.turn = (view) => {
    state.view = view;
    turns.later();
  };
  state.change = (values) => {
    Object.assign(state, values);
    state.save();
  };
  return enliven(state, {
    model, el,
    fits: fitsFor(most),
    result: () => graphResult(state, data, memory),
    panels: [
      roll, buttons, isomapPanel(part("map"), data, marks), blameTables(part, state),
      slider(part("sliders"), state, "n_neighbors", { name: "κ", least: FEWEST, most: MOST, step: 1, words: (k) => `${k} neighbours` }),
      slider(part("sliders"), state, "n_points", { name: "n", least: FEWEST_POINTS, most, step: 1, words: (n) => `${n} points` }),
      drawCurve, (_, moving) => moving && clearTimeout(state.waiting),
    ],
    words: () => verdict(state.result),
    stop() {
      clearTimeout(state.waiting);
      turns.cancel();
    },
    settled: () => unfoldCurve(el, state, memory, drawCurve),
  });
}

export default { render, unlinked: ["points", "sheet"] };
