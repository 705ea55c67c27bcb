export const MOST_STEPS = 1000;
/** A run has ended where a step moves the points by less than this share of their size. */
const TOLERANCE = 1e-5;
const RADIUS = 2.2;
/** Ends whose stresses differ by less, in (1000 km)^2, are taken for one map. */
const SAME = 0.005;
const MOST_ENDS = 12;
const MOST_BY_HAND = 6;
/** Starts by number; 0 is the classical one. Those drawn by the buttons follow on what was tried. */
export const PRESETS = { classical: [0], rome: [11], stockholm: [2] };
const BATCH = 20;
/** Errors, in 1000 km, from which on a spring is drawn, drawn thicker, and thickest. */
const LEVELS = [0.1, 0.3, 0.8];

/** Numbers between 0 and 1 that a seed determines (mulberry32). */
function* uniform(seed) {
  for (let a = Math.imul(seed, 0x9e3779b9); ; ) {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    yield ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }
}

/** n points, drawn evenly from a disc. */
export function randomStart(seed, n) {
  const random = uniform(seed);
  const points = Array.from({ length: n }, () => {
    const radius = RADIUS * Math.sqrt(random.next().value);
    const angle = 2 * Math.PI * random.next().value;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
  return fromRows(points);
}

/** SMACOF from a start: its maps and their raw stress, as far as `reach(steps)` was asked. */
export function descent(start, D) {
  const path = { maps: [start], stresses: [rawStress(start, 2, D)], ended: false };
  path.reach = (steps) => {
    while (!path.ended && path.maps.length <= steps) {
      const last = path.maps.at(-1);
      const next = guttmanTransform(last, 2, D);
      path.maps.push(next);
      path.stresses.push(rawStress(next, 2, D));
      const moved = Math.sqrt(sumOf(next, (y, at) => (y - last[at]) ** 2));
      path.ended = moved <= TOLERANCE * Math.sqrt(dot(next, next)) || path.maps.length > MOST_STEPS;
    }
    return Math.min(steps, path.maps.length - 1);
  };
  return path;
}

/**
 * The descent of a run: [seed] starts at random, or at the classical map, and is turned so that
 * all but the city with the most stress end upon the best map; [city, x, y, ...] starts where a hand
 * left the cities, in km.
 */
export function pathOf(run, data) {
  const { D, best } = data;
  const n = best.length / 2;
  if (run.length > 1) return descent(Float64Array.from(run.slice(1), (v) => v / 1000), D);
  const start = run[0] === 0 ? classicalScaling(D, n, 2).points : randomStart(run[0], n);
  const path = descent(centredColumns(start, 2), D);
  const end = path.maps[path.reach(MOST_STEPS)];
  const { rotation } = misplaced(end, data);
  path.maps.forEach((map, at) => (path.maps[at] = multiplied(map, 2, rotation, 2)));
  return path;
}

/** The paths of the last few runs, each computed once. */
function recaller(data) {
  const known = new Map();
  return (run) => {
    const key = JSON.stringify(run);
    const path = known.get(key) ?? pathOf(run, data);
    known.delete(key);
    known.set(key, path);
    if (known.size > 2 * MOST_ENDS) known.delete(known.keys().next().value);
    return path;
  };
}

/** The city with the most stress, and how far it is from its place when the others lie on theirs. */
export function misplaced(points, { best, D }) {
  const n = best.length / 2;
  const d = toRows(distances(points, 2), n);
  const stresses = toRows(D, n).map((row, i) => sumOf(row, (delta, j) => (delta - d[i][j]) ** 2));
  const city = stresses.indexOf(Math.max(...stresses));
  const others = (Y) => Y.filter((_, at) => Math.floor(at / 2) !== city);
  const { rotation, translation } = procrustesAlign(others(points), 2, others(best));
  const place = multiplied(points.slice(2 * city, 2 * city + 2), 2, rotation, 2);
  const off = Math.hypot(...place.map((y, c) => y + translation[c] - best[2 * city + c]));
  return { city, off, rotation };
}

/** Where the descent from a run ends. */
function endOf(run, data, recall) {
  const path = recall(run);
  const steps = path.reach(MOST_STEPS);
  return { run, steps, stress: path.stresses[steps], ...misplaced(path.maps[steps], data), path };
}

/** What a state comes to; while a hand holds a city, where its run will end is left open. */
export function resultOf(state, data, recall) {
  const path = recall(state.run);
  const length = state.held ? 0 : path.reach(MOST_STEPS);
  const steps = path.reach(state.steps);
  const points = path.maps[steps];
  const ends = state.ends.map(([times, ...run]) => ({ times, ...endOf(run, data, recall) }));
  return {
    path, steps, length, points, ends,
    ended: path.ended && steps === path.maps.length - 1,
    stress: path.stresses[steps],
    stress1: kruskalStress(points, 2, data.D),
    least: data.least,
    springs: disagreements(data.D, points, data.best.length / 2),
    ...misplaced(points, data),
  };
}

/** The ends with one more, or with its count raised where it is known; the lowest stress first. */
export function withEnd(ends, run, times, stressOf) {
  const stress = stressOf(run);
  const same = ends.find(([, ...other]) => Math.abs(stressOf(other) - stress) < SAME);
  const all = same ? ends.map((end) => (end === same ? [end[0] + times, ...end.slice(1)] : end)) : [...ends, [times, ...run]];
  const sorted = all.sort(([, ...a], [, ...b]) => stressOf(a) - stressOf(b));
  const byHand = (end) => end.length > 2;
  const droppable = sorted.filter(([, ...other]) => Math.abs(stressOf(other) - stress) >= SAME);
  if (sorted.filter(byHand).length > MOST_BY_HAND) return sorted.filter((end) => end !== droppable.findLast(byHand));
  return sorted.length > MOST_ENDS ? sorted.filter((end) => end !== droppable.at(-1)) : sorted;
}

const km = (length) => `${text(1000 * length, 0)} km`;

/** How a run began, in words. */
const beginning = (run, labels) => {
  if (run.length > 1) return `where you put ${labels[run[0]]}`;
  return run[0] ? `random start ${run[0]}` : "the classical start";
};

/** What the state comes to, in words. */
export function sentence(state, result, labels) {
  const { stress, steps, ended, least, springs } = result;
  const { run } = state;
  if (ended) return endSentence(state, result, labels);
  const { i, j, table, map } = springs[0];
  const worst = `The worst spring is ${labels[i]}\u2013${labels[j]}: ${km(table)} by road, ${km(map)} on the map.`;
  if (steps) {
    const fall = text(result.path.stresses[steps - 1] - stress, 2);
    return { head: `Stress ${text(stress, 2)} after ${plural(steps, "step")}.`, reason: `The last step took off ${fall}. ${worst}` };
  }
  const head = `Stress ${text(stress, 2)}, before the first step.`;
  if (run.length > 1) return { head, reason: `You moved ${labels[run[0]]}. ${worst}` };
  const where = run[0] ? `Random start ${run[0]}: the cities were thrown into a disc.` : `The map of least strain; the least stress known is ${text(least, 2)}.`;
  return { head, reason: `${where} ${worst}` };
}

/** The same, where no step leads on. */
function endSentence({ run, tried }, { stress, steps, least, city, off, ends }, labels) {
  const here = ends.find((end) => Math.abs(end.stress - stress) < SAME)?.times ?? 0;
  const share = tried[1] ? ` Of ${plural(tried[1], "random start")}, ${here} ended here.` : "";
  const from = `${plural(steps, "step")} from ${beginning(run, labels)}`;
  if (stress < least + SAME) return { holds: true, head: `Stress ${text(stress, 2)}: the least known.`, reason: `It took ${from}.${share}` };
  const head = `Stuck: stress ${text(stress, 2)}, the least known is ${text(least, 2)}.`;
  const reason = `After ${from} no step leads on. ${labels[city]} is ${km(off)} from its place on the best map.${share}`;
  return { holds: false, head, reason };
}

const STARTS = { rome: "stuck: Rome", stockholm: "stuck: Stockholm", classical: "classical start" };
const PAGE = `
  <p class="kx-question">Which maps does this table get stuck in, and what frees them?</p>
  <div class="kx-bar" style="--order:4">${buttonGroup("Starts", "preset", STARTS, "samples")}
    ${buttonGroup("Random starts", "do", { draw: "new random start", batch: `${BATCH} at once` }, "actions")}
    <span>${RESET}</span>
  </div>
  ${VERDICT}
  <div class="kx-columns">
    <div class="kx-column">
      <section style="--order:1"><p class="kx-title">Map and springs <small class="kx-control">drag a city</small></p>
        <div data-part="map"></div>
        <p class="kx-key"><span class="kx-pressed">too short: pushes</span><span class="kx-stretched">too long: pulls</span></p></section>
      <section style="--order:5">
        <p class="kx-note">The thicker, the more: from 100, 300 and 800 km on. A square of the grid is 1000 km wide.</p>
        <div class="kx-entry kx-control"><select data-part="city" aria-label="city to drag"></select></div></section>
      <section class="kx-control kx-steps" style="--order:3">
        <div class="kx-bar">${buttonGroup("Steps", "do", { step: "one step", run: "run" }, "actions")}</div>
        <div data-part="steps"></div></section>
    </div>
    <div class="kx-column">
      <section style="--order:2"><p class="kx-title">Stress, step by step <small>dashed: the runs below</small></p>
        <div data-part="trace"></div></section>
      <section style="--order:6">
        <div class="kx-scroll"><table class="kx-list kx-ended"><caption>Stress at which runs have ended, the city with the most stress, and how many random starts ended there</caption>
          <thead><tr><th scope="col">ended at</th><th scope="col">misplaced</th><th scope="col">starts</th><td class="kx-control"></td></tr></thead>
          <tbody data-part="ends"></tbody></table></div></section>
      <section style="--order:7">
        <table class="kx-list"><caption>The three springs that are farthest from their length, and the figures of the map</caption>
          <thead><tr><th scope="col">worst springs (km)</th><th scope="col" class="kx-distance">table</th><th scope="col">map</th></tr></thead>
          <tbody data-part="worst"></tbody></table></section>
    </div>
  </div>`;

/** Some springs of a map, by sign and by how far they are off; returns a function that draws them. */
function springLayer(root, name) {
  const layer = svg(root, "g", { class: `kx-springs ${name}`, "aria-hidden": "true" });
  const kinds = ["pressed", "stretched"];
  const paths = kinds.map((kind) => LEVELS.map((_, level) => svg(layer, "path", { class: `kx-spring kx-${kind} kx-level${level}` })));
  return (springs, pixels) => {
    const lines = kinds.map(() => LEVELS.map(() => ""));
    for (const { i, j, error } of springs) {
      const level = LEVELS.findLastIndex((least) => Math.abs(error) >= least);
      if (level < 0) break;
      lines[Number(error > 0)][level] += `M${pixels[i].map(tenth).join(" ")}L${pixels[j].map(tenth).join(" ")}`;
    }
    paths.forEach((row, kind) => row.forEach((path, level) => set(path, { d: lines[kind][level] })));
  };
}

/** The springs of one city above those of all others; returns a function that draws them. */
function springLayers(root) {
  const [others, own] = ["kx-others", "kx-own"].map((name) => springLayer(root, name));
  return (springs, pixels, city) => {
    const isOwn = ({ i, j }) => i === city || j === city;
    own(springs.filter(isOwn), pixels);
    others(springs.filter((spring) => !isOwn(spring)), pixels);
  };
}

/** The map, each city of which can be taken; returns a function that draws it. */
function mapPanel(host, labels, state) {
  const size = [340, 284];
  const [width, height] = size;
  const drawing = plane(host, { width, height, unit: 52, label: "Map by SMACOF: cities to drag" });
  const springs = springLayers(drawing.root);
  const write = nameLayer(drawing.root, labels, size);
  let drawn = [];
  const { spots, place } = takeable(drawing, labels.length, state, {
    places: () => drawn,
    get: () => drawn[state.chosen].map(hundredth),
    move: (point) => state.move(point),
    said: () => ({ "aria-label": labels[state.chosen] }),
    take: (i) => state.choose(i),
  });
  return ({ points, springs: all }, moving) => {
    drawn = toRows(points, 2);
    const pixels = drawn.map(drawing.pixel);
    springs(all, pixels, state.chosen);
    write(pixels, [state.chosen], { alone: state.running, moving });
    spots.forEach((spot, i) => spot.classList.toggle("kx-on", i === state.chosen));
    place(pixels);
  };
}

/** Stress against the number of steps, both on logarithmic axes; returns a function that draws it. */
function tracePanel(host) {
  const [width, height, left, bottom] = [340, 160, 34, 34];
  const root = svg(host, "svg", { viewBox: `0 0 ${width} ${height}`, class: "kx-chart", role: "img" });
  const x = (at) => left + ((width - left - 8) * Math.log10(at)) / 3;
  const [low, high] = [5, 2000];
  const inside = (stress) => Math.max(low, Math.min(high, stress));
  const y = (stress) => 6 + ((height - bottom - 6) * Math.log(high / inside(stress))) / Math.log(high / low);
  const axes = svg(root, "g", { "aria-hidden": "true" });
  gridLines(axes, [10, 100, 1000], (v) => ({ x1: left, x2: x(1000), y1: y(v), y2: y(v) }), (v) => ({ x: left - 4, y: y(v), "text-anchor": "end" }));
  gridLines(axes, [1, 10, 100, 1000], (v) => ({ x1: x(v), x2: x(v), y1: y(low), y2: 6 }), (v) => ({ x: x(v), y: y(low) + 12, "text-anchor": v > 100 ? "end" : "middle" }));
  const unit = { x: width - 8, y: 16, "text-anchor": "end", class: "kx-tick" };
  write(axes, "stress (million km\u00b2)", unit);
  write(axes, "steps + 1", { ...unit, x: (width + left) / 2, y: height - 8, "text-anchor": "middle" });
  const [others, now] = ["others", "now"].map((kind) => svg(root, "path", { class: `kx-trace kx-trace-${kind}` }));
  const dot = svg(root, "circle", { r: 4.5, class: "kx-place" });
  const line = (stresses) => stresses.map((stress, at) => `${at ? "L" : "M"}${tenth(x(at + 1))} ${tenth(y(stress))}`).join("");
  let shown = null;
  return ({ path, steps, stress, ends }) => {
    const key = ends.map((end) => end.stress).join();
    if (shown !== key) set(others, { d: ends.map((end) => line(end.path.stresses)).join("") });
    shown = key;
    set(now, { d: line(path.stresses.slice(0, steps + 1)) });
    set(dot, { cx: tenth(x(steps + 1)), cy: tenth(y(stress)) });
    const fall = steps ? `fell from ${text(path.stresses[0], 2)} to ${text(stress, 2)} in ${plural(steps, "step")}` : `is ${text(stress, 2)}`;
    set(root, { "aria-label": `Trace of the stress on logarithmic axes: it ${fall}. Dashed, ${plural(ends.length, "run")} of the list.` });
  };
}

/** The table of ends, each a button that leads back; returns a function that fills it. */
function endsPanel(host, labels, state) {
  const row = '<tr hidden><th scope="row"></th><td></td><td></td><td class="kx-control"><button type="button" class="kx-action">show</button></td></tr>';
  host.innerHTML = row.repeat(MOST_ENDS);
  const rows = [...host.children];
  rows.forEach((line, at) => line.querySelector("button").addEventListener("click", () => state.go(state.ends[at].slice(1), MOST_STEPS)));
  return ({ ends, ended, stress, least }) =>
    rows.forEach((line, at) => {
      const end = ends[at];
      line.toggleAttribute("hidden", !end);
      const button = line.querySelector("button");
      set(button, { "aria-pressed": Boolean(end) && ended && Math.abs(end.stress - stress) < SAME });
      if (!end) return;
      const off = end.stress < least + SAME ? "all in place" : `${labels[end.city]}, ${km(end.off)}`;
      const words = [text(end.stress, 2), off, end.times || "\u2013"];
      words.forEach((word, cell) => (line.children[cell].textContent = word));
      set(button, { "aria-label": `show the map of stress ${words[0]}` });
    });
}

/** The slider over the steps; returns a function that shows how far the run is. */
function stepsPanel(host, state) {
  const show = range(host, state, {
    name: "steps", least: 0, most: MOST_STEPS, step: 1, words: (value) => plural(value, "step"),
    input(value) {
      state.stop();
      state.steps = value;
    },
  });
  const field = host.querySelector("input");
  return ({ steps, length }) => {
    set(field, { max: Math.max(length, steps, 1) });
    show(steps);
  };
}

/** The table of the worst springs and of the figures; returns a function that fills it. */
function figures(host, labels) {
  const rows = factRows(host, ["", "", "", "raw stress", "stress-1"], 2);
  for (const [, cell, other] of rows.slice(3)) {
    set(cell, { colspan: 2 });
    other.remove();
  }
  return ({ springs, stress, stress1 }) => {
    springs.slice(0, 3).forEach(({ i, j, table, map }, at) => {
      const words = [`${labels[i]}\u2013${labels[j]}`, text(1000 * table, 0), text(1000 * map, 0)];
      words.forEach((word, cell) => (rows[at][cell].textContent = word));
    });
    rows[3][1].textContent = `${text(stress, 2)} million km\u00b2`;
    rows[4][1].textContent = text(stress1, 4);
  };
}

/** Whether a value is a run: a seed, or a city and all places in km. */
export function isRun(value, n) {
  if (!Array.isArray(value) || !value.every(Number.isInteger)) return false;
  if (value.length === 1) return areNumbers(value, 1, 0, 1e6);
  const [city, ...places] = value;
  const isApart = places.some((v, at) => v !== places[at % 2]);
  return areNumbers(places, 2 * n, -9999, 9999) && city >= 0 && city < n && isApart;
}

/** What the traits may be, for n cities. */
function fitsFor(n) {
  const isEnd = (end) => Array.isArray(end) && isWhole(0, 1e6)(end[0]) && isRun(end.slice(1), n);
  return {
    run: (value) => isRun(value, n),
    steps: isWhole(0, MOST_STEPS),
    ends: isListOf(isEnd, 0, MOST_ENDS),
    tried: isListOf(isWhole(0, 1e6), 2, 2),
    chosen: isWhole(0, n - 1),
    points: () => false, // they follow from the others
  };
}

/** Notes where runs end, and says which seed comes next. */
function recorder(state, data, recall) {
  const stressOf = (run) => endOf(run, data, recall).stress;
  return {
    record(run) {
      const isNew = run.length === 1 && run[0] > state.tried[0];
      if (isNew) state.tried = [run[0], state.tried[1] + 1];
      state.ends = withEnd(state.ends, run, Number(isNew), stressOf);
    },
    nextSeed: () => Math.max(state.tried[0], state.run.length === 1 ? state.run[0] : 0) + 1,
  };
}

/** What a reader does to the state. */
function actionsOn(state, { record, nextSeed }) {
  return {
    go(run, steps) {
      state.stop();
      Object.assign(state, { run, steps });
      state.save();
    },
    drawStart: () => state.go([nextSeed()], 0),
    step: () => state.go(state.run, state.result.steps + 1),
    tryNext: () => record(Object.assign(state, { run: [nextSeed()], steps: MOST_STEPS }).run),
    choose(city) {
      state.chosen = city;
      state.go(state.run, state.result.steps);
    },
    move(point) {
      state.stop();
      const places = Array.from(state.result.points);
      places.splice(2 * state.chosen, 2, ...point);
      Object.assign(state, { run: [state.chosen, ...places.map((v) => Math.round(1000 * v))], steps: 0, held: true });
    },
  };
}

/** What takes many frames: `play` steps ever faster until the run has ended, `batch` tries starts. */
function player(state) {
  let frame = 0;
  const untilDone = (show) => {
    state.running = true;
    const next = (now) => {
      if (show(now)) return state.go(state.run, MOST_STEPS);
      state.draw();
      frame = requestAnimationFrame(next);
    };
    frame = requestAnimationFrame(next);
  };
  const stop = () => {
    if (frame) cancelAnimationFrame(frame);
    frame = 0;
    state.running = false;
  };
  const play = () => {
    if (state.running) return state.go(state.run, state.result.steps);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return state.go(state.run, MOST_STEPS);
    const from = state.result.ended ? 0 : state.result.steps;
    let start = null;
    untilDone((now) => {
      start ??= now;
      state.steps = Math.floor((from + 1) * Math.exp((now - start) / 700)) - 1;
      return state.steps >= state.result.length;
    });
  };
  const batch = () => {
    stop();
    let left = BATCH;
    untilDone(() => {
      state.tryNext();
      left -= 1;
      return left === 0;
    });
  };
  return { stop, play, batch };
}

/** Follow the buttons; returns a function that marks them. */
function buttonPanel(el, state) {
  const presets = [...el.querySelectorAll("[data-preset]")];
  for (const button of presets) {
    const { preset } = button.dataset;
    button.addEventListener("click", () => state.go(PRESETS[preset], preset === "classical" ? 0 : MOST_STEPS));
  }
  const actions = { draw: "drawStart", batch: "batch", step: "step", run: "play" };
  for (const [name, action] of Object.entries(actions)) {
    el.querySelector(`[data-do="${name}"]`).addEventListener("click", () => state[action]());
  }
  return ({ ended }) => {
    for (const button of presets) set(button, { "aria-pressed": String(PRESETS[button.dataset.preset]) === String(state.run) });
    el.querySelector('[data-do="run"]').textContent = state.running ? "pause" : ended ? "run again" : "run";
  };
}

/** The field that names the city to drag; returns a function that shows it. */
function cityField(field, labels, state) {
  field.innerHTML = labels.map((name, i) => `<option value="${i}">drag ${name}</option>`).join("");
  field.addEventListener("change", () => state.choose(Number(field.value)));
  return () => (field.children[state.chosen].selected = true);
}

/** The roads, and the best map with its stress. */
export function dataOf(n, table, rows) {
  const [D, best] = [fromPairs(table, n), fromRows(rows)];
  return { D, best, least: rawStress(best, 2, D) };
}

function render({ model, el }) {
  const part = openPage(el, PAGE);
  const labels = model.get("labels");
  const data = dataOf(labels.length, model.get("table"), model.get("best"));
  const recall = recaller(data);
  const state = {};
  const records = recorder(state, data, recall);
  Object.assign(state, actionsOn(state, records), player(state));
  const result = () => resultOf(state, data, recall);
  const panels = [
    mapPanel(part("map"), labels, state), tracePanel(part("trace")), endsPanel(part("ends"), labels, state),
    stepsPanel(part("steps"), state), figures(part("worst"), labels), buttonPanel(el, state), cityField(part("city"), labels, state),
  ];
  const settle = () => {
    state.held = false;
    const { ended, points } = result();
    state.points = toRows(points.map((v) => Math.round(1e4 * v) / 1e4), 2);
    if (!ended) return;
    state.steps = MOST_STEPS;
    records.record(state.run);
  };
  return enliven(state, {
    model, el, result, panels, settle, stop: state.stop, fits: fitsFor(labels.length),
    loaded: () => (state.held = false),
    words: () => sentence(state, state.result, labels),
  });
}

export default { render, unlinked: ["labels", "table", "best", "points"] };
