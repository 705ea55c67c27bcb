const UNIT = 100;
const REACH = [1.56, 1.31];
/** Eigenvalues nearer than this share of the larger are equal. */
const EQUAL = 1e-9;
const AXES = [0, 1];
/** The end of the slider of the noise, in cm, where no axis is longer. */
const MOST_SIGMA = 1.25;

const columnOf = (M, axis) => Array.from(M.filter((_, at) => at % 2 === axis));

/** The first clerk: mean, axes and variances from S = X'HX / n, and the scores along the axes. */
function fromVariables(X) {
  const n = X.length / 2;
  // Seen from the first point, equal points are zero without rounding.
  const centred = centredColumns(shifted(X, 2, X.subarray(0, 2)), 2);
  const [u, v] = AXES.map((axis) => columnOf(centred, axis));
  const S = Float64Array.of(dot(u, u), dot(u, v), dot(v, u), dot(v, v)).map((sum) => sum / n);
  const { values, vectors } = eigenpairs(S, 2);
  const rank = values.filter((value) => value > rankTolerance(n) * values[0]).length;
  const scores = multiplied(centred, 2, vectors, 2).map((y, at) => (at % 2 < rank ? y : 0));
  return { mean: columnMeans(X, 2), axes: vectors, variances: values.map((v, r) => (r < rank ? v : 0)), rank, scores };
}

/** The second clerk: the principal coordinates and all eigenvalues of B, from distances alone. */
function fromDistances(D, n) {
  const fit = classicalScaling(D, n, 2);
  return { values: fit.spectrum(), scores: padColumns(fit.points, fit.columns, n, 2) };
}

/** Columns, each times a number. */
const times = (Y, signs) => Y.map((y, at) => y * signs[at % 2]);

/** For each column -1 where two tables point opposite ways, otherwise 1. */
function signsBetween(Y, Z) {
  return AXES.map((axis) => (dot(columnOf(Y, axis), columnOf(Z, axis)) < 0 ? -1 : 1));
}

/** How far two tables are apart: as they are, with the best signs, best turned. */
function gaps(Y, Z) {
  const apart = (A) => largestModulus(A.map((a, at) => a - Y[at]));
  return {
    asHandedIn: apart(Z),
    signsAside: apart(times(Z, signsBetween(Y, Z))),
    turned: apart(procrustesAlign(Z, 2, Y).points),
  };
}

/** What the model keeps along each axis: 1 - sigma^2 / nu, or nothing where the two are equal. */
const keptParts = (variances, sigma2) => Array.from(variances, (nu) => (nu > (1 + EQUAL) * sigma2 ? 1 - sigma2 / nu : 0));

/**
 * Scores without noise, and posterior means: mapped back the score times 1 - sigma^2 / nu, as
 * hidden numbers the score times (nu - sigma^2)^(1/2) / nu.
 */
export function stepBack(scores, variances, sigma2, space) {
  const kept = keptParts(variances, sigma2);
  if (space === "scores") return { full: scores, shrunk: times(scores, kept) };
  const full = times(scores, Array.from(variances, (nu) => (nu ? 1 / Math.sqrt(nu) : 1)));
  return { full, shrunk: times(full, kept.map(Math.sqrt)) };
}

/** Both clerks at work; their signs are given, or follow what was shown `last`. */
export function bothClerks(points, { signs, agree }, last = null) {
  const X = fromRows(points);
  const n = points.length;
  const [first, second] = [fromVariables(X), fromDistances(distances(X, 2), n)];
  const own = last ? [...signsBetween(last.axes, first.axes), ...signsBetween(last.second, second.scores)] : signs;
  const [axes, scores] = [first.axes, first.scores].map((M) => times(M, own));
  const handed = times(second.scores, own.slice(2));
  const differ = signsBetween(scores, handed);
  const theirs = agree ? times(handed, differ) : handed;
  return {
    n, ...first, axes, scores, signs: own, handed, second: theirs, differ,
    values: second.values, zeros: n - countSigns(second.values).positive, gaps: gaps(scores, theirs),
    equal: first.rank === 2 && first.variances[0] - first.variances[1] <= EQUAL * first.variances[0],
  };
}

/** How far apart, in words; a small length by the power of ten that it stays below. */
function within(gap) {
  if (gap >= 0.005) return `${text(gap)} cm`;
  const power = String(Math.min(12, Math.floor(-Math.log10(gap))));
  return `less than 10⁻${power.replace(/./g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit])} cm`;
}

const area = (value) => `${text(value, 4)} cm²`;
const percent = (part) => `${text(100 * part, 1)} %`;

/** What the model keeps of the scores or of the hidden numbers, in words. */
export function noiseSays({ variances, rank }, { noise: sigma2, space }) {
  if (rank === 0) return "There is nothing to keep.";
  if (sigma2 === 0) return "Without noise the model keeps all.";
  const kept = keptParts(variances, sigma2).slice(0, rank).map(space === "latent" ? Math.sqrt : Number);
  const gone = kept.indexOf(0);
  const keeps = `With noise variance ${area(sigma2)} ${space === "latent" ? "hidden numbers keep" : "the model keeps"}`;
  if (gone === 0) return `${keeps} nothing: no axis has a larger variance, and all points step back to the mean.`;
  if (gone < 0) return `${keeps} ${kept.map((part, axis) => `${percent(part)} of axis ${axis + 1}`).join(" and ")}.`;
  return `${keeps} ${percent(kept[0])} of axis 1, and axis 2 has vanished: its variance ${area(variances[1])} is no larger.`;
}

/** What the two have handed in, in words. */
export function clerkVerdict(found, agree) {
  const { rank, equal, variances, n, differ } = found;
  const { asHandedIn, signsAside, turned } = found.gaps;
  if (rank === 0) return { head: "All points are one.", reason: "S and B are zero: there is no axis, and no score." };
  if (equal) {
    const apart = `${within(asHandedIn)} apart, with the best signs ${within(signsAside)}, after one turn ${within(turned)}`;
    return { head: "λ₁ = λ₂: the axes are each clerk’s own choice.", reason: `The scores are ${apart}. Neither made a mistake: no direction is the first axis.` };
  }
  const lambdas = AXES.map((axis) => text(n * variances[axis], 4)).join(" and ");
  const close = variances[1] > 0.9 * variances[0] ? " They are close: a small step of one point turns the axes far." : "";
  const spectrum = rank === 2
    ? `Both clerks found one spectrum: the eigenvalues of nS and of B are ${lambdas} cm².${close}`
    : "The points lie on a line: the second eigenvalue is zero, and there is no axis 2.";
  const wrong = AXES.slice(0, rank).filter((axis) => differ[axis] < 0).map((axis) => `axis ${axis + 1}`);
  const which = wrong.length === 2 ? "both axes" : wrong[0];
  const apart = `${within(signsAside)} apart`;
  const [sign, that] = wrong.length === 2 ? ["signs", "both"] : ["sign", "it"];
  if (which && !agree) return { head: `The same scores, but for the ${sign} of ${which}.`, reason: `With ${that} turned they are ${apart}. ${spectrum}` };
  return { head: "The same scores.", reason: `They are ${apart}${which ? `, now that the second clerk turned ${which}` : ""}. ${spectrum}` };
}

const PRESETS = { long: "a long cloud", round: "a round one", line: "on a line", outlier: "one outlier", irises: "irises" };
const NOISES = { none: "none", second: "σ² = ν₂", first: "σ² = ν₁" };
const SPACES = { scores: "among the measurements", latent: "hidden numbers" };
const PAGE = `
  <p class="kx-question">Can the pictures of two honest clerks differ by more than a mirror?</p>
  <div class="kx-bar">${buttonGroup("Points", "preset", PRESETS)}<span>${RESET}</span></div>
  <div class="kx-bar">${buttonGroup("Signs", "agree", { false: "signs as handed in", true: "turned to agree" })}
    ${buttonGroup("The second clerk", "turn", { 0: "second clerk turns axis 1", 1: "second turns axis 2" })}</div>
  <output class="kx-banner" aria-live="polite"><strong></strong> <span></span></output>
  <div class="kx-columns">
    <div class="kx-column">
    <section style="--order:1"><p class="kx-title">The measurements <small class="kx-control">drag a point</small></p>
    <div data-part="plane"></div>
    <div class="kx-bar"><button type="button" data-chosen="next">next point</button></div>
    <p class="kx-note">The ellipse of <i>S</i>, two standard deviations; grid lines are 1 cm apart.</p></section>
    <section style="--order:3">
    <table class="kx-list"><caption>Eigenvalues of both matrices, and what the noise leaves</caption>
    <thead><tr><td></td><th scope="col">axis 1</th><th scope="col">axis 2</th></tr></thead>
    <tbody data-part="facts"></tbody></table><p class="kx-note" data-part="zeros"></p></section>
    </div>
    <div class="kx-column">
    <section style="--order:2"><p class="kx-title">Scores on axis 1 <small>a line joins the two of a point</small></p><div data-part="axis1"></div>
    <p class="kx-title kx-next">Scores on axis 2</p><div data-part="axis2"></div>
    <p class="kx-key"><span class="kx-first">first clerk, from <i>S</i></span><span class="kx-second">second clerk, from distances</span></p></section>
    <section style="--order:4"><p class="kx-title">The model steps back <small>noise variance σ²</small></p>
    <div class="kx-bar">${buttonGroup("Noise variance", "noise", NOISES)}</div>
    <div class="kx-bar">${buttonGroup("Shown", "space", SPACES)}</div>
    <div class="kx-control" data-part="noise"></div><div data-part="shrunk"></div>
    <p class="kx-key"><span class="kx-first">without noise</span><span class="kx-shrunk">posterior mean</span></p>
    <p class="kx-note" data-part="note" aria-live="polite"></p></section>
    </div>
  </div>`;

const FACTS = [
  ["λ of <i>nS</i> (cm²)", ({ variances, n }, axis) => text(n * variances[axis], 4)],
  ["λ of <i>B</i> (cm²)", ({ values }, axis) => text(values[axis], 4)],
  ["ν = λ/<i>n</i>, of <i>S</i> (cm²)", ({ variances }, axis) => text(variances[axis], 4)],
  ["kept, 1 − σ²/ν", ({ rank }, axis, kept) => (axis < rank ? text(kept[axis], 3) : "–")],
  ["its root, for hidden numbers", ({ rank }, axis, kept) => (axis < rank ? text(Math.sqrt(kept[axis]), 3) : "–")],
];

/** The table of both spectra; returns a function that fills it. */
function factsTable(host, note, state) {
  host.innerHTML = FACTS.map(([name]) => `<tr><th scope="row">${name}</th><td></td><td></td></tr>`).join("");
  const rows = [...host.children];
  return (found) => {
    const kept = keptParts(found.variances, state.noise);
    FACTS.forEach(([, value], row) => AXES.forEach((axis) => (rows[row].children[axis + 1].textContent = value(found, axis, kept))));
    note.textContent = `S is 2 × 2. B is ${found.n} × ${found.n}, and ${found.zeros} of its eigenvalues are zero.`;
  };
}

/** How far one can go from a place along a direction, and still write in the drawing of the plane. */
const roomFrom = (place, u) => Math.min(...AXES.map((axis) => ([144, 120][axis] - Math.sign(u[axis]) * place[axis]) / Math.abs(u[axis] || 1e-9)));

/** An arrow along an axis, with its name; returns a function that draws it. */
function axisArrow(root, axis) {
  const arrow = svg(root, "path", { class: "kx-unit" });
  const name = svg(root, "text", { class: "kx-name" });
  return ([x, y], [ux, uy], half) => {
    const at = (along, aside) => [x + along * ux - aside * uy, y + along * uy + aside * ux].map(tenth).join(" ");
    const wings = `M${at(half - 8, 5)}L${at(half, 0)} ${at(half - 8, -5)}`;
    set(arrow, { d: half ? `M${at(-half, 0)}L${at(half, 0)}${wings}` : "" });
    const room = roomFrom([x, y], [ux, uy]);
    set(name, { transform: `translate(${half + 12 > room ? at(room, 13) : at(half + 12, 0)})` });
    name.textContent = half ? ["u₁", "u₂"][axis] : "";
  };
}

/** The points with mean, ellipse and axes; returns a function that draws them. */
function planePanel(host, state) {
  const drawing = plane(host, { width: 340, height: 290, unit: UNIT, label: "Points to drag, in centimetres" });
  const ellipse = svg(drawing.root, "ellipse", { class: "kx-ellipse" });
  const arrows = AXES.map((axis) => axisArrow(drawing.root, axis));
  const mean = svg(drawing.root, "path", { class: "kx-mean", d: "M-5-5L5 5M-5 5L5-5" });
  const grip = handle(drawing, {
    name: "point", mark: "", className: "kx-city",
    get: () => state.points[state.chosen],
    move(point) {
      state.points[state.chosen] = point;
      state.later();
    },
    release: () => state.save(),
  });
  const held = drawing.root.querySelector(".kx-city");
  const spots = takeable(drawing, Array(20).fill(""), held, ([x, y]) => {
    const far = state.points.map(([a, b]) => Math.hypot(a - x, b - y));
    state.chosen = far.indexOf(Math.min(...far));
    state.draw();
  });
  return ({ mean: middle, axes, variances, n }) => {
    const center = drawing.pixel(middle);
    const [rx, ry] = Array.from(variances, (nu) => tenth(2 * UNIT * Math.sqrt(nu)));
    const transform = `translate(${center.map(tenth)})`;
    const angle = (-180 * Math.atan2(axes[2], axes[0])) / Math.PI;
    set(ellipse, { rx, ry, transform: `${transform} rotate(${tenth(angle)})` });
    set(mean, { transform });
    arrows.forEach((arrow, axis) => arrow(center, [axes[axis], -axes[2 + axis]], axis ? ry : rx));
    spots.forEach((spot, i) => {
      const at = drawing.pixel(state.points[i] ?? [9, 9]);
      set(spot, { transform: `translate(${at.map(tenth)})`, display: i < n ? "inline" : "none" });
    });
    grip();
    set(held, { "aria-label": `point ${state.chosen + 1} of ${n}` });
  };
}

const pathIn = (root) => (name) => svg(root, "path", { class: name });
const RING = "m-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0";
const SQUARE = "m-3.5-3.5h7v7h-7z";

/** A path with a mark at each place. */
const marksAt = (pixels, mark) => ({ d: pixels.map((at) => `M${at.map(tenth).join(" ")}${mark}`).join("") });

/** A path of lines. */
const linesAt = (starts, ends) => ({ d: starts.map((at, i) => `M${[...at, ...ends[i]].map(tenth).join(" ")}`).join("") });

/** How the lines between two columns run, in words; `size` is that of all scores on show. */
export function linesSay(Y, Z, size) {
  if (largestModulus(Y) === 0) return "All scores are zero.";
  if (Y.every((y, i) => Math.abs(y - Z[i]) < 1e-6 * size)) return "All lines are upright: the scores agree.";
  if (Y.every((y, i) => Math.abs(y + Z[i]) < 1e-6 * size)) return "All lines cross at zero: the signs disagree.";
  return "The lines cross in many places: the axes differ.";
}

/** Both clerks' scores on one axis, a row each; returns a function that draws them. */
function stripPanel(host, axis, state) {
  const root = svg(host, "svg", { viewBox: "-170 0 340 96", class: "kx-chart kx-frame", role: "img" });
  const [rule, links, link, dots, rings] = ["kx-rule", "kx-joined", "kx-joined kx-on", "kx-first", "kx-second"].map(pathIn(root));
  ["from S", "from B"].forEach((words, row) => (svg(root, "text", { x: -164, y: row ? 92 : 12 }).textContent = words));
  return ({ scores, second }) => {
    const size = Math.max(...[scores, second].map(largestModulus));
    const unit = Math.min(UNIT, 160 / (size || 1));
    const [upper, lower] = [scores, second].map((M) => columnOf(M, axis));
    const [above, below] = [upper.map((y) => [unit * y, 26]), lower.map((y) => [unit * y, 70])];
    set(rule, { d: `M0 0V96${[-1, 1].map((cm) => `M${tenth(cm * unit)} 20V76`).join("")}` });
    set(links, linesAt(above, below));
    set(link, linesAt([above[state.chosen]], [below[state.chosen]]));
    set(dots, marksAt(above, "h0"));
    set(rings, marksAt(below, RING));
    set(root, { "aria-label": `Scores on axis ${axis + 1}: from S above, from B below. ${linesSay(upper, lower, size)}` });
  };
}

/** Scores without noise, joined to those with it; returns a function that draws them. */
function shrunkPanel(host, state) {
  const root = svg(host, "svg", { viewBox: "-170 -105 340 210", class: "kx-chart kx-frame", role: "img" });
  svg(root, "path", { d: "M-170 0h340M0-105v210", class: "kx-rule" });
  const scale = svg(root, "path", { class: "kx-scale" });
  const unitName = svg(root, "text", { x: -160, y: 88 });
  AXES.forEach((axis) => (svg(root, "text", axis ? { x: 6, y: -92 } : { x: 130, y: -6 }).textContent = `axis ${axis + 1}`));
  const [links, dots, squares] = ["kx-joined", "kx-first", "kx-shrunk"].map(pathIn(root));
  return (found) => {
    const { noise: sigma2, space } = state;
    const { full, shrunk } = stepBack(found.scores, found.variances, sigma2, space);
    const most = AXES.map((axis) => largestModulus(columnOf(full, axis)));
    const unit = Math.min(space === "scores" ? UNIT : 42, 160 / (most[0] || 1), 90 / (most[1] || 1));
    const pixels = (M) => toRows(M, 2).map(([x, y]) => [unit * x, -unit * y]);
    const [from, to] = [full, shrunk].map(pixels);
    set(scale, { d: `M-160 94v5h${tenth(unit)}v-5` });
    unitName.textContent = space === "scores" ? "1 cm" : "1";
    set(links, linesAt(from, to));
    set(dots, marksAt(from, "h0"));
    set(squares, marksAt(to, SQUARE));
    const words = space === "scores" ? "Scores, and posterior means mapped back" : "Whitened scores, and hidden numbers";
    set(root, { "aria-label": `${words}. ${noiseSays(found, state)}` });
  };
}

/** The slider of the noise, the place on it being sigma; returns a function that shows it. */
function noisePanel(host, state) {
  const variance = (place) => Math.round(1e6 * place * place) / 1e6;
  const show = range(host, {
    name: "σ²", least: 0, most: MOST_SIGMA, step: 0.005, words: (place) => area(variance(place)),
    input(place) {
      state.noise = variance(place);
      state.later();
    },
    release: () => state.save(),
  });
  const field = host.querySelector("input");
  return ({ variances }) => {
    const place = Math.sqrt(state.noise);
    set(field, { max: Math.max(MOST_SIGMA, Math.ceil(100 * Math.sqrt(variances[0])) / 100) });
    show(place);
  };
}

/** The noise of a button: the variance of an axis, rounded up. */
const noiseOf = (name, { variances: [first, second] }) => Math.ceil(1e6 * ({ first, second }[name] ?? 0)) / 1e6;

/** The buttons; returns a function that shows which are on. */
function buttonPanel(el, state, presets) {
  const actions = {
    preset: (name) => Object.assign(state, { points: structuredClone(presets[name]), chosen: presets[name].length - 1, signs: [1, 1, 1, 1], last: null }),
    agree: (name) => (state.agree = name === "true"),
    turn(axis) {
      if (state.agree) AXES.forEach((at) => (state.signs[2 + at] *= state.result.differ[at]));
      state.signs[2 + Number(axis)] *= -1;
      Object.assign(state, { agree: false, last: null });
    },
    chosen: () => (state.chosen = (state.chosen + 1) % state.points.length),
    noise: (name) => (state.noise = noiseOf(name, state.result)),
    space: (name) => (state.space = name),
  };
  listenToButtons(el, state, actions);
  return (found) => {
    press(el, "preset", (name) => JSON.stringify(presets[name]) === JSON.stringify(state.points));
    press(el, "agree", (name) => String(state.agree) === name);
    press(el, "noise", (name) => noiseOf(name, found) === state.noise);
    press(el, "space", (name) => name === state.space);
  };
}

/** The model's state, with the first value of what does not fit. */
function loaded(model) {
  const isPoint = (row) => areNumbers(row, 2, -REACH[0], REACH[0]) && Math.abs(row[1]) <= REACH[1];
  const arePoints = (rows) => Array.isArray(rows) && rows.length >= 4 && rows.length <= 20 && rows.every(isPoint);
  const points = fitting(model, "points", arePoints);
  const fits = {
    chosen: (value) => Number.isInteger(value) && value >= 0 && value < points.length,
    signs: (value) => areNumbers(value, 4, -1, 1) && value.every((sign) => sign * sign === 1),
    agree: (value) => typeof value === "boolean",
    noise: (value) => areNumbers([value], 1, 0, 9),
    space: (value) => Object.hasOwn(SPACES, value),
  };
  const taken = Object.fromEntries(Object.keys(fits).map((name) => [name, fitting(model, name, fits[name])]));
  return { ...taken, points, chosen: Math.min(taken.chosen, points.length - 1) };
}

function render({ model, el }) {
  const part = openPage(el, PAGE);
  const state = {};
  const result = () => {
    const found = bothClerks(state.points, state, state.last);
    Object.assign(state, { signs: found.signs, last: { axes: found.axes, second: found.handed } });
    return found;
  };
  const panels = [
    planePanel(part("plane"), state), ...AXES.map((axis) => stripPanel(part(`axis${axis + 1}`), axis, state)),
    factsTable(part("facts"), part("zeros"), state), shrunkPanel(part("shrunk"), state),
    noisePanel(part("noise"), state), buttonPanel(el, state, model.get("presets")),
  ];
  const load = () => ({ ...loaded(model), last: null });
  const traits = Object.keys(loaded(model));
  const words = () => clerkVerdict(state.result, state.agree);
  const settled = () => (part("note").textContent = noiseSays(state.result, state));
  return enliven(state, { model, el, traits, load, result, panels, words, settled });
}

export default { render, unlinked: ["presets"] };
