const [MOST, FEWEST, COMPONENTS] = [60, 5, 4];
const REACH = [3.12, 2.82];
const [WIDE, HIGH, UNIT, STEP] = [340, 310, 50, 10];
const DIGITS = "₁₂₃₄";
const PRESETS = ["line", "grid", "rings", "moons", "clusters"];
const GROUPS = ["circles", "squares", "triangles"];
const ASKED = {
  kernel: "How like <i>x</i> is each place of the plane? And which points, or parameters, give <i>K</i> a negative eigenvalue?",
  components: "Which component parts the groups, at which width? And where is a new point <i>x</i> put?",
};

const ranging = (name, label, least, most, step, first) => ({ name, label, least, most, step, first });
const WIDTH = { ...ranging("theta", "θ", -2, 2, 0.05, 1), log: true };
/** The library's kernels that the explorer offers: how to make them, their sliders, their formula. */
export const FAMILIES = {
  Linear: [() => Linear(), [], () => "xᵀy"],
  Polynomial: [
    ({ degree, offset }) => Polynomial(degree, offset),
    [ranging("degree", "degree", 1, 6, 1, 2), ranging("offset", "offset", 0, 3, 0.25, 1)],
    ({ degree, offset }) => `(xᵀy + ${offset})${"¹²³⁴⁵⁶"[degree - 1]}`,
  ],
  RBF: [({ theta }) => RBF(theta), [WIDTH], ({ theta }) => `exp(−${theta} ‖x − y‖²)`],
  Exponential: [({ theta }) => Exponential(theta), [WIDTH], ({ theta }) => `exp(−${theta} ‖x − y‖)`],
  DampedCosine: [
    ({ alpha, omega }) => DampedCosine(alpha, omega),
    [ranging("alpha", "α", 0, 6, 0.1, 0.6), ranging("omega", "ω", 0, 6, 0.1, 3)],
    ({ alpha, omega }) => `exp(−${alpha}δ) cos ${omega}δ, δ = ‖x − y‖`,
  ],
  Power: [({ beta }) => Power(beta), [ranging("beta", "β", 0.25, 4, 0.25, 1)], ({ beta }) => `−δ to the power ${beta}, δ = ‖x − y‖`],
};

/** The kernel's name and parameters where the sliders reach them, else null. */
export function cleanKernel(kernel) {
  if (!Object.hasOwn(FAMILIES, kernel?.name)) return null;
  const sliders = FAMILIES[kernel.name][1];
  const inside = ({ name, least, most, log }) => {
    const place = log ? Math.log10(kernel[name]) : kernel[name];
    return Number.isFinite(kernel[name]) && place > least - 1e-9 && place < most + 1e-9;
  };
  if (!sliders.every(inside) || (kernel.name === "Polynomial" && kernel.degree % 1)) return null;
  return { name: kernel.name, ...Object.fromEntries(sliders.map(({ name }) => [name, kernel[name]])) };
}

/**
 * Kernel matrix, its spectrum and, for the question about components, the fit; `centring` is
 * "all", "fit" (new points are not centred) or "none".
 */
export function study({ points, kernel, centring, asks }) {
  const [X, n] = [fromRows(points), points.length];
  const k = FAMILIES[kernel.name][0](kernel);
  const K = kernelMatrix(k, X, 2);
  const [scale, rows] = [largestModulus(K), (at) => kernelMatrix(k, at, 2, X)];
  if (asks === "kernel") return { k, n, scale, gram: K, values: eigenvalues(K, n), rows };
  const fit = kernelPcaFromGram(K, n, COMPONENTS, { centred: centring !== "none" });
  const offsets = fit.transform(new Float64Array(n)).map((c) => 0 - c);
  const forgotten = centring === "fit" ? offsets : new Float64Array(fit.columns);
  const place = (at) => fit.transform(rows(at)).map((y, c) => y + forgotten[c % fit.columns]);
  return { k, n, scale, gram: fit.gram, values: fit.spectrum(), rows, fit, offsets, place };
}

/** The groups whose scores lie all above or all below those of the other points. */
export function parted(scores, groups) {
  return [...new Set(groups)].sort().filter((group) => {
    const of = (own) => scores.filter((_, i) => (groups[i] === group) === own);
    const [inner, outer] = [of(true), of(false)];
    if (!outer.length) return false;
    return Math.max(...inner) < Math.min(...outer) || Math.min(...inner) > Math.max(...outer);
  });
}

const refused = (head, reason) => ({ holds: false, head, reason });

/** The banner's words on the question whether k is a kernel. */
export function kernelVerdict({ k, n, values }) {
  const { positive, negative } = countSigns(values);
  if (negative) {
    const why =
      k.conditional > k.positive
        ? "Centred it is one, as Chapter 8 shows: HKH has no negative eigenvalue."
        : "Its vector c makes cᵀKc negative, which would be a squared length.";
    return refused(`No kernel: the smallest eigenvalue of K is ${text(values[n - 1], 3)}.`, why);
  }
  if (k.positive < 2) {
    const head = `No eigenvalue of K is negative on these ${n} points, which proves nothing.`;
    return { head, reason: "Other points of the plane give it a negative one. Find some." };
  }
  const matter = values.filter((value) => value > 1e-3 * values[0]).length;
  return {
    holds: true,
    head: "A kernel: no points of the plane give it a negative eigenvalue.",
    reason: `Here ${positive} of ${n} are positive, and ${matter} exceed${matter === 1 ? "s" : ""} a thousandth of the largest: so many features matter.`,
  };
}

/** Which groups a component parts, in words. */
function partedWords(found, kinds) {
  if (kinds < 2) return "";
  if (!found.length) return "It parts no group from the others.";
  if (kinds === 2) return `It parts the ${found[0]} from the ${found[1]}.`;
  return `It parts the ${found.join(", and the ")}${found.length > 1 ? "," : ""} from all others.`;
}

/** The words where nothing is centred: only a kernel that falls with the distance is a likeness. */
function uncentredVerdict({ k, n }, scores, component) {
  const one = scores.every((y) => y * scores[0] > 0);
  const head = one ? `All ${n} scores have one sign.` : "Nothing is centred.";
  const central = one && component === 1 && k.isotropic ? "It adds up likenesses to the data. " : "";
  return refused(head, `${central}An axis through the kernel’s origin is no component.`);
}

/** The words where the kernel values of new points are not centred: c is what moves them. */
function forgottenVerdict(c, component) {
  const why = `Its kernel values are not centred: every new point is moved by c = ${text(c, 3)} here.`;
  if (Math.abs(c) >= 0.0005) return refused("x is put at a wrong place.", why);
  return { head: `On component ${component} nobody notices: c = ${text(0, 3)}.`, reason: "Its kernel values are not centred all the same; another component may show it." };
}

/** The banner's words on a component. */
export function componentVerdict(found, { component, centring, groups }) {
  const { fit, values } = found;
  const r = component - 1;
  if (r >= fit.columns) {
    return refused(`There is no component ${component}: λ${DIGITS[r]} is not positive.`, `Here are ${fit.columns}.`);
  }
  const scores = columnOf(fit.points, fit.columns, r);
  if (centring === "none") return uncentredVerdict(found, scores, component);
  if (centring === "fit") return forgottenVerdict(found.offsets[r], component);
  const whole = values.reduce((sum, value) => sum + Math.abs(value), 0);
  const close = [r - 1, r + 1].find((s) => values[s] && Math.abs(values[s] - values[r]) < 0.01 * values[r]);
  const open = close === undefined ? "" : ` λ${DIGITS[r]} has an equal beside it, or nearly: turned axes would do as well.`;
  const of = countSigns(values, found.scale).negative ? "spectrum, of which a part is negative" : "variance";
  const head = `Component ${component} holds ${text((100 * values[r]) / whole, 1)} % of the ${of}.`;
  const apart = parted(scores, groups).map((group) => GROUPS[group]);
  return { holds: apart.length > 0 || undefined, head, reason: partedWords(apart, new Set(groups).size) + open };
}

/** The nodes at which the heat map is computed, in rows from the top left. */
function nodes() {
  const [columns, rows] = [WIDE / STEP + 1, HIGH / STEP + 1];
  const at = new Float64Array(2 * columns * rows);
  for (let i = 0; i < columns * rows; i++) {
    at[2 * i] = ((i % columns) * STEP - WIDE / 2) / UNIT;
    at[2 * i + 1] = (HIGH / 2 - Math.floor(i / columns) * STEP) / UNIT;
  }
  return { columns, rows, at };
}

/** Corners of the part of a cell where f is at least some level, and the ends of its edge. */
function cut(corners, level) {
  const [shape, ends] = [[], []];
  corners.forEach(([x, y, f], i) => {
    const [u, v, g] = corners[(i + 1) % 4];
    if (f >= level) shape.push(`${x} ${y}`);
    if (f >= level === g >= level) return;
    const t = (level - f) / (g - f);
    const end = `${tenth(x + t * (u - x))} ${tenth(y + t * (v - y))}`;
    shape.push(end);
    ends.push(end);
  });
  if (ends.length === 4 && corners[0][2] < level) ends.push(ends.shift());
  return { shape, ends };
}

/** Paths of the region where f is at least some level, and of its edge, dashed by cells. */
export function contour(f, { columns, rows }, level, dashed) {
  let [area, edge] = ["", ""];
  const [left, top] = [-WIDE / 2, -HIGH / 2];
  for (let r = 0; r + 1 < rows; r++) {
    for (let c = 0, run = 0; c + 1 < columns; c++) {
      const at = r * columns + c;
      const near = [f[at], f[at + 1], f[at + columns + 1], f[at + columns]];
      const above = near.filter((v) => v >= level).length;
      const [x, y] = [left + c * STEP, top + r * STEP];
      run = above === 4 ? run + 1 : 0;
      const ends = c + 2 === columns || !(Math.min(f[at + 2], f[at + columns + 2]) >= level);
      if (run && ends) area += `M${x + STEP} ${y}v${STEP}h${-run * STEP}v${-STEP}z`;
      if (above === 4 || above === 0) continue;
      const [u, v] = [x + STEP, y + STEP];
      const part = cut([[x, y, near[0]], [u, y, near[1]], [u, v, near[2]], [x, v, near[3]]], level);
      area += `M${part.shape.join("L")}z`;
      if (dashed && (r + c) % 2) continue;
      for (let e = 0; e + 1 < part.ends.length; e += 2) edge += `M${part.ends[e]}L${part.ends[e + 1]}`;
    }
  }
  return { area, edge };
}

/** Contours of f at quarters of some size: the nodes at which f is needed, and what draws it. */
function heatMap(root) {
  const grid = nodes();
  const layer = svg(root, "g", { "aria-hidden": "true" });
  const path = (name) => svg(layer, "path", { class: name });
  const paths = [-1, 1].flatMap((sign) => {
    const kind = sign < 0 ? "kx-under" : "kx-over";
    return [0.25, 0.5, 0.75].map((share) => [sign, share, path(`kx-fill ${kind}`), path(`kx-line ${kind}`)]);
  });
  const zero = path("kx-line kx-zero");
  const draw = (f, size) => {
    const turned = f.map((v) => -v);
    const at = (level, sign) => (size ? contour(sign < 0 ? turned : f, grid, level, sign < 0) : { area: "", edge: "" });
    for (const [sign, share, fill, line] of paths) {
      const { area, edge } = at(share * size, sign);
      set(fill, { d: area });
      set(line, { d: edge });
    }
    set(zero, { d: at(0, 1).edge });
  };
  return { at: grid.at, draw };
}

/** A symmetric matrix in cells, negative ones hatched; returns a function that draws it. */
function matrixPanel(host) {
  const root = svg(host, "svg", { class: "kx-matrix", role: "img" });
  const hatch = hatching(root, "matrix");
  const shares = [0.05, 0.25, 0.5, 0.75, Infinity];
  const layers = ["kx-under", "kx-over"].map((name) => shares.slice(1).map(() => svg(root, "path", { class: name })));
  const negative = svg(root, "path", { fill: hatch });
  const cross = svg(root, "path", { class: "kx-cross" });
  return ({ gram, n }, name, chosen) => {
    const cell = Math.floor(240 / n);
    const [at, side, size] = [chosen * cell, n * cell, largestModulus(gram) || 1];
    const path = (least, most) => ({ d: cellPath(gram, n, cell, (v) => v >= least * size && v < most * size) });
    layers[1].forEach((layer, q) => set(layer, path(shares[q], shares[q + 1])));
    layers[0].forEach((layer, q) => set(layer, path(-shares[q + 1], -shares[q])));
    set(negative, path(-Infinity, -0.05));
    set(cross, { d: `M0 ${at}h${side}v${cell}h${-side}zM${at} 0v${side}h${cell}v${-side}z` });
    const label = `${name}, a matrix of order ${n} with entries up to ${text(size)} in size.`;
    set(root, { viewBox: `-1 -1 ${side + 2} ${side + 2}`, "aria-label": label });
  };
}

/** A path of all cells whose entry passes, those that touch in a row drawn as one. */
function cellPath(gram, n, cell, passes) {
  let path = "";
  for (let i = 0; i < n; i++) {
    for (let j = 0, run = 0; j <= n; j++) {
      if (j < n && passes(gram[i * n + j])) run++;
      else if (run) {
        path += `M${(j - run) * cell} ${i * cell}h${run * cell}v${cell}h${-run * cell}z`;
        run = 0;
      }
    }
  }
  return path;
}

/** The HTML for one of the two questions. */
function pageOf(asks) {
  const names = (list) => Object.fromEntries(list.map((name) => [name, name]));
  const hand = { add: "add a point at x", next: "next point", remove: "remove it" };
  const components = buttonGroup("Component", "component", names([1, 2, 3, 4]), "modes");
  const centring = { all: "centred", fit: "forget it for x", none: "forget to centre" };
  const matrix = `<section style="--order:6"><p class="kx-title"><span data-part="name"></span> <small data-part="formula"></small></p>
    <div data-part="matrix"></div></section>`;
  const map = `<section style="--order:4"><p class="kx-title">Map <small>components 1 and 2, turned to the last map</small></p>
    <div class="kx-bar">${buttonGroup("Centring", "centring", centring, "modes")}</div>
    <div data-part="map"></div></section>`;
  return `
  <p class="kx-question">${ASKED[asks]}</p>
  <div class="kx-bar" style="--order:4">${buttonGroup("Points", "preset", names(PRESETS), "samples")}<span>${RESET}</span></div>
  <div class="kx-bar" style="--order:3">${buttonGroup("Kernel", "kernel", names(Object.keys(FAMILIES)), "modes")}</div>
  <div class="kx-ranges kx-control" style="--order:2" data-part="parameters"></div>
  ${VERDICT}
  <div class="kx-columns">
    <div class="kx-column">
      <section style="--order:1"><p class="kx-title"><span data-part="field"></span> <small class="kx-control">drag the points, and <i>x</i></small></p>
        ${asks === "components" ? `<div class="kx-bar">${components}</div>` : ""}
        <div data-part="points"></div></section>
      <section style="--order:5"><div class="kx-bar">${buttonGroup("Points by hand", "edit", hand, "actions")}</div>
        <p class="kx-note" data-part="read"></p></section>
      ${asks === "components" ? matrix : ""}
    </div>
    <div class="kx-column">
      <section style="--order:2"><p class="kx-title">Eigenvalues of <span data-part="of"></span></p>
        <div data-part="spectrum"></div><p class="kx-note" data-part="values"></p></section>
      ${asks === "components" ? map : matrix}
    </div>
  </div>`;
}

/** A press on the mark of a data point chooses it, and hands the press to its handle. */
function choosable(root, state) {
  return (mark, i) => {
    svg(mark, "circle", { r: 13, class: "kx-target" });
    onPress(mark, (event) => {
      state.chosen = i;
      state.moved();
      root.querySelector(".kx-chosen").dispatchEvent(new PointerEvent("pointerdown", event));
    });
  };
}

/** The plane with heat map, data and the two handles. */
function pointsPanel(host, state) {
  const drawing = plane(host, { width: WIDE, height: HIGH, unit: UNIT, label: "Points of the plane, and a test point x" });
  const heatLayer = heatMap(drawing.root);
  const place = marks(svg(drawing.root, "g"), choosable(drawing.root, state));
  const hold = (name, mark, className, get, put) => {
    const move = (point) => state.moved(put(point));
    return handle(drawing, state, { name, mark, className, get, move });
  };
  const handles = [
    hold("chosen point", "", "kx-chosen", () => state.points[state.chosen], (point) => (state.points[state.chosen] = point)),
    hold("test point x", "x", "kx-p3", () => state.test, (point) => (state.test = point)),
  ];
  drawing.root.addEventListener("click", (event) => {
    if (event.target.closest(".kx-handle, .kx-data")) return;
    state.test = drawing.clamp(drawing.world(event));
    state.save();
  });
  return {
    ...heatLayer,
    place() {
      place(state.points.map(drawing.pixel), state.groups);
      handles.forEach((update) => update());
    },
  };
}

/** The map of the data and x; returns a function that draws it. */
function mapPanel(host) {
  const root = svg(host, "svg", { viewBox: "-170 -120 340 240", class: "kx-chart kx-frame", role: "img" });
  svg(root, "path", { d: "M-170 0h340M0-120v240", class: "kx-rule" });
  const place = marks(svg(root, "g"));
  const ring = svg(root, "circle", { r: 10, class: "kx-chosen-ring" });
  const gap = svg(root, "line", { class: "kx-gap" });
  const mark = svg(root, "g", { class: "kx-p3" });
  svg(mark, "circle", { r: 10, class: "kx-dot" });
  write(mark, "x", { class: "kx-mark" });
  const turnTo = steadyTurn();
  return (Y, x, right, state) => {
    const turn = turnTo(Y, state.turn, state.fresh);
    state.turn = turnOf(turn);
    const turned = (M) => toRows(multiplied(M, 2, turn, 2), 2);
    const [rows, [seen], [wanted]] = [Y, x, right].map(turned);
    const reach = Math.max(1e-9, ...[...rows, seen, wanted].map(([a, b]) => Math.max(Math.abs(a) / 158, Math.abs(b) / 108)));
    const pixel = ([a, b]) => [a / reach, -b / reach];
    place(rows.map(pixel), state.groups);
    const [[x1, y1], [x2, y2], [cx, cy]] = [wanted, seen, rows[state.chosen]].map(pixel);
    set(gap, { x1, y1, x2, y2 });
    set(ring, { cx, cy });
    set(mark, { transform: `translate(${tenth(x2)} ${tenth(y2)})` });
    set(root, { "aria-label": `Map of ${rows.length} points and x, ${text(340 * reach)} wide.` });
  };
}

/** The sliders of the kernel; returns a function that shows them. */
function parameterPanel(host, state) {
  let [built, show] = ["", []];
  const build = ({ name, label, log, ...ends }) =>
    slider(host, state, name, { name: label, of: () => state.kernel, ...(log && POWERS), ...ends });
  return () => {
    if (built !== state.kernel.name) {
      host.replaceChildren();
      built = state.kernel.name;
      show = FAMILIES[built][1].map(build);
    }
    show.forEach((update) => update());
  };
}

/** The buttons; returns a function that shows their state. */
function buttonPanel(el, state, presets) {
  const firsts = (name) => Object.fromEntries(FAMILIES[name][1].map((one) => [one.name, one.first]));
  const edits = {
    next: () => (state.chosen = (state.chosen + 1) % state.points.length),
    add() {
      state.points.push([...state.test]);
      state.chosen = state.groups.push(state.groups[state.chosen]) - 1;
    },
    remove() {
      for (const list of [state.points, state.groups]) list.splice(state.chosen, 1);
      state.chosen = Math.min(state.chosen, state.points.length - 1);
    },
  };
  const shows = listenToButtons(el, state, {
    preset: [
      (name) => Object.assign(state, structuredClone(presets[name]), { chosen: 0 }),
      (name) => isLike(state, { points: presets[name].points }),
    ],
    kernel: [(name) => (state.kernel = { name, ...firsts(name) }), (name) => name === state.kernel.name],
    component: [(r) => (state.component = Number(r)), (r) => Number(r) === state.component],
    centring: choosing(state, "centring"),
    edit: [(what) => edits[what]()],
  });
  const edit = (what) => el.querySelector(`[data-edit="${what}"]`);
  return () => {
    shows();
    edit("add").disabled = state.points.length >= MOST;
    edit("remove").disabled = state.points.length <= FEWEST;
  };
}

/** The words below the spectrum. */
export function spectrumWords({ values, scale }) {
  const { positive, negative } = countSigns(values, scale);
  const n = values.length;
  const first = Array.from(values.slice(0, 4), (v, r) => `λ${DIGITS[r]} = ${text(v)}`).join(", ");
  return `${first}; ${positive} positive, ${n - positive - negative} zero, ${negative} negative, smallest ${text(values[n - 1], 3)}.`;
}

const lines = (size, what) =>
  `Lines at ¼, ½ and ¾ of the largest ${what}, ${text(size)}, dashed where negative.`;

/** Draw the field of the first question, k(., x); returns the words for it. */
function drawFunction(panel, { k, rows }, { test }) {
  const x = Float64Array.from(test);
  const [at, own] = [rows(x), kernelMatrix(k, x, 2)[0]];
  const size = Math.max(largestModulus(at), Math.abs(own));
  panel.draw(kernelMatrix(k, panel.at, 2, x), size);
  const ends = [Math.min(...at), Math.max(...at)].map((v) => text(v));
  return `k(x, x) = ${text(own)}; k(x, xᵢ) runs from ${ends.join(" to ")}. ${lines(size, "value")}`;
}

/** The field and the scores with such signs that the heat map turns over as little as possible. */
function steadyScores({ fit: { points, columns }, place }, at, last, state) {
  const f = place(at);
  const product = (c) => f.reduce((sum, v, i) => sum + (i % columns === c ? v * last.f[i] : 0), 0);
  const steady = !state.fresh && last?.columns === columns;
  state.signs = state.signs.map((sign, c) => (steady && c < columns ? (product(c) < 0 ? -1 : 1) : sign));
  const turned = (M) => M.map((v, i) => v * state.signs[i % columns]);
  return { f: turned(f), Y: turned(points), turned, columns };
}

/** Draw a component over the plane, and the map; returns what is said of x. */
function drawComponent(panel, map, found, state, { f, Y, turned, columns }) {
  const [x, c] = [turned(found.place(Float64Array.from(state.test))), found.offsets];
  const right = state.centring === "fit" ? x.map((v, at) => v - c[at]) : x;
  const r = state.component - 1;
  const column = (M) => columnOf(M, columns, r);
  const size = r < columns ? largestModulus(column(Y)) : 0;
  panel.draw(column(f), size);
  const flat = (M, rows) => padColumns(M, columns, rows, 2);
  map(flat(Y, found.n), flat(x, 1), flat(right, 1), state);
  const score = `x scores ${text(x[r] ?? 0, 3)} on component ${r + 1} (c = ${text(c[r] ?? 0, 3)}). `;
  return size ? score + lines(size, "score of a point") : "";
}

/** All that is drawn from the state but its buttons; returns a function that draws it. */
function viewOf(part, state, panel) {
  const write = (name, words) => say(part(name), words);
  const map = state.asks === "components" ? mapPanel(part("map")) : null;
  const [matrix, bars] = [matrixPanel(part("matrix")), spectrumPanel(part("spectrum"))];
  const parameters = parameterPanel(part("parameters"), state);
  let last = null;
  const drawMap = (found) => {
    last = steadyScores(found, panel.at, last, state);
    found.offsets = last.turned(found.offsets);
    return drawComponent(panel, map, found, state, last);
  };
  const kind = (r, value) => {
    const sign = value < 0 ? "kx-bar-minus" : !map || r < 2 ? "kx-bar-kept" : "kx-bar-rest";
    return map && r === state.component - 1 ? `${sign} kx-now` : sign;
  };
  return (found) => {
    const name = map && state.centring !== "none" ? "HKH" : "K";
    parameters();
    panel.place();
    write("read", map ? drawMap(found) : drawFunction(panel, found, state));
    write("field", map ? `Component ${state.component}` : "k(·, x)");
    bars(found.values, name, kind, found.scale);
    matrix(found, name, state.chosen);
    for (const label of ["of", "name"]) write(label, name);
    write("formula", `k(x, y) = ${FAMILIES[state.kernel.name][2](state.kernel)}`);
    write("values", spectrumWords(found));
    state.fresh = false;
  };
}

/** What the traits of a model may be; points and groups fit together or not at all. */
function fitsOf(model) {
  const isPoint = isWithin(REACH);
  const whole = () => {
    const [points, groups] = [model.get("points"), model.get("groups")];
    return isListOf(isPoint, FEWEST, MOST)(points) && isListOf(isWhole(0, 2), points.length, points.length)(groups);
  };
  return {
    points: whole,
    groups: whole,
    kernel: cleanKernel,
    component: isWhole(1, COMPONENTS),
    centring: isOneOf("all", "fit", "none"),
    test: isPoint,
    chosen: (value, { points }) => whole() && isWhole(0, points.length - 1)(value),
    signs: isListOf(isOneOf(1, -1), COMPONENTS, COMPONENTS),
    turn: isTurn,
  };
}

function render({ model, el }) {
  const asks = model.get("asks");
  const part = openPage(el, pageOf(asks));
  const state = {
    asks,
    moved() {
      panel.place();
      state.later();
    },
  };
  const panel = pointsPanel(part("points"), state);
  return enliven(state, {
    model, el,
    fits: fitsOf(model),
    loaded: () => Object.assign(state, { kernel: cleanKernel(state.kernel), fresh: true }),
    result: () => study(state),
    panels: [viewOf(part, state, panel), buttonPanel(el, state, model.get("presets"))],
    words: () => (asks === "components" ? componentVerdict(state.result, state) : kernelVerdict(state.result)),
  });
}

export default { render, unlinked: ["asks", "presets"] };
