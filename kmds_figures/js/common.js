// Shared by the explorers: explorers.py puts this text in front of each of them.

/** Text of a number with a true minus sign and no negative zero. */
export function text(value, digits = 2) {
  const fixed = value.toFixed(digits);
  return (Number(fixed) === 0 ? (0).toFixed(digits) : fixed).replace("-", "\u2212");
}

/** How many there are of something. */
const plural = (count, one, more = `${one}s`) => `${count} ${count === 1 ? one : more}`;

const capital = (words) => words[0].toUpperCase() + words.slice(1);

/** Matrix product of arrays of rows. */
export function multiply(A, B) {
  return A.map((row) => B[0].map((_, j) => row.reduce((sum, a, k) => sum + a * B[k][j], 0)));
}

/** Append an SVG element to `parent`. */
function svg(parent, tag, attributes = {}) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(element, attributes);
  return parent.appendChild(element);
}

/** Append words to a drawing. */
function write(parent, words, attributes) {
  svg(parent, "text", attributes).textContent = words;
}

function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}

/** A drawing of the plane: `unit` pixels a unit, the origin in the middle, y upwards. */
function plane(host, { width, height, unit, label }) {
  const view = { viewBox: `${-width / 2} ${-height / 2} ${width} ${height}` };
  const root = svg(host, "svg", { ...view, class: "kx-plane", role: "group", "aria-label": label });
  const grid = svg(root, "g", { class: "kx-grid", "aria-hidden": "true" });
  const [columns, rows] = [width, height].map((side) => Math.floor(side / 2 / unit));
  const line = (x1, y1, x2, y2, at) =>
    svg(grid, "line", { x1, y1, x2, y2, class: at === 0 ? "kx-axis" : "" });
  for (let i = -columns; i <= columns; i++) line(i * unit, -height / 2, i * unit, height / 2, i);
  for (let i = -rows; i <= rows; i++) line(-width / 2, i * unit, width / 2, i * unit, i);
  const reach = [width, height].map((side) => (side / 2 - 14) / unit);
  return {
    root,
    pixel: ([x, y]) => [x * unit, -y * unit],
    world(event) {
      const at = new DOMPoint(event.clientX, event.clientY);
      const { x, y } = at.matrixTransform(root.getScreenCTM().inverse());
      return [x / unit, -y / unit];
    },
    clamp: (point) =>
      point.map((v, axis) => Math.round(100 * Math.max(-reach[axis], Math.min(reach[axis], v))) / 100),
    reach,
  };
}

/** Points attribute of a polygon in a plane. */
function corners(drawing, points) {
  return points.map((point) => drawing.pixel(point).join(",")).join(" ");
}

/** A press of the main button, or of a finger, which then does not scroll the page. */
function onPress(element, take) {
  element.addEventListener("pointerdown", (event) => {
    if (event.button === 0) take(event);
  });
  element.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
}

/**
 * Follow mouse, touch and keys on something with a role: `take(event)` says what is held, and
 * `move(event, held)` is called while it moves; `step(by, event)` is what a key does, `keys` naming
 * all that are its own, so that the page does not scroll. `release()` is called once at the end.
 */
function grabbable(group, { take, move, keys, step, release }) {
  let held = null;
  onPress(group, (event) => {
    held = take(event);
    group.setPointerCapture(event.pointerId);
    group.focus({ preventScroll: true });
    event.preventDefault();
  });
  group.addEventListener("pointermove", (event) => {
    if (held) move(event, held);
  });
  const drop = () => {
    if (held) release();
    held = null;
  };
  group.addEventListener("pointerup", drop);
  group.addEventListener("pointercancel", drop);
  group.addEventListener("keydown", (event) => {
    if (!(event.key in keys)) return;
    step(keys[event.key], event);
    event.preventDefault();
    event.stopPropagation();
  });
  group.addEventListener("keyup", (event) => {
    if (event.key in keys) release();
  });
}

const STEPS = {
  ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1],
  PageUp: [0, 0.5], PageDown: [0, -0.5], Home: [-1e3, 0], End: [1e3, 0],
};

/**
 * A point of a plane that mouse, touch and arrow keys move: `move(point)` takes it into the state,
 * which is shown, and saved once it is let go; `step([across, up])` is what a key does. `said()` are
 * attributes that say more than its place. Returns what draws it.
 */
function handle(drawing, state, {
  name, mark, className, get, move, said,
  step = (by) => move(drawing.clamp(get().map((v, axis) => v + by[axis]))),
}) {
  const [reach] = drawing.clamp([drawing.reach[0], 0]);
  const group = svg(drawing.root, "g", {
    class: `kx-handle ${className}`,
    role: "slider",
    tabindex: "0",
    "aria-label": name,
    "aria-valuemin": -reach,
    "aria-valuemax": reach,
  });
  svg(group, "circle", { r: 22, class: "kx-target" });
  svg(group, "circle", { r: 16, class: "kx-ring" });
  svg(group, "circle", { r: 12, class: "kx-dot" });
  write(group, mark, { class: "kx-mark" });
  grabbable(group, {
    take: (event) => drawing.world(event).map((v, axis) => get()[axis] - v),
    move(event, held) {
      move(drawing.clamp(drawing.world(event).map((v, axis) => v + held[axis])));
      state.later();
    },
    keys: STEPS,
    step(by, event) {
      const times = event.shiftKey && event.key.startsWith("Arrow") ? 5 : 1;
      step(by.map((v) => times * v));
      state.later();
    },
    release: () => state.save(),
  });
  return () => {
    const [x, y] = get();
    set(group, {
      transform: `translate(${drawing.pixel([x, y]).join(" ")})`,
      "aria-valuenow": x,
      "aria-valuetext": `x ${text(x)}, y ${text(y)}`,
      ...said?.(),
    });
  };
}

/** Fill the cells of a table body with numbers on a ground of one colour (plus) or of another (minus). */
function heat(cells, values, top, plus = "--kx-blue") {
  cells.forEach((cell, index) => {
    const value = values[index];
    cell.textContent = Number.isFinite(value) ? text(value) : "–";
    const strength = Number.isFinite(value) ? Math.round(38 * Math.min(1, Math.abs(value) / top)) : 0;
    const ink = value < 0 ? "--kx-red" : plus;
    cell.style.background = `color-mix(in srgb, var(${ink}) ${strength}%, transparent)`;
  });
}

// What an explorer says: the words follow the hand, and are said aloud once it is still.
const VERDICT = '<div class="kx-banner"><strong></strong> <span></span></div><output class="kx-said" aria-live="polite"></output>';
// The button that every explorer has, in its bar: on a page, "copy link" follows on it.
const RESET = '<button type="button" class="kx-reset">reset</button>';

/** Have the reset button bring back the first state, and then call `follow`. */
function listenToReset(el, model, follow) {
  el.querySelector(".kx-reset").addEventListener("click", () => {
    model.set(structuredClone(model.get("start")));
    model.save_changes();
    follow();
  });
}

/** A trait, or its first value where `fits` refuses it: a page's address may ask for anything. */
function fitting(model, name, fits) {
  const value = model.get(name);
  return structuredClone(fits(value) ? value : model.get("start")[name]);
}

/** The traits that have a test in `fits`, of their value and of those before them. */
function traitsOf(model, fits) {
  const traits = {};
  for (const [name, fit] of Object.entries(fits)) traits[name] = fitting(model, name, (value) => fit(value, traits));
  return traits;
}

/** Whether a value is an array of so many numbers, none outside some bounds. */
function areNumbers(value, count, low = -Infinity, high = Infinity) {
  const isNumber = (x) => Number.isFinite(x) && x >= low && x <= high;
  return Array.isArray(value) && value.length === count && value.every(isNumber);
}

// What a trait may be: one of some values, a whole number, a point of a plane with some reach, a list.
const isOneOf = (...values) => (value) => values.includes(value);
const isWhole = (low, high) => (value) => Number.isInteger(value) && value >= low && value <= high;
const isWithin = ([across, up]) => (value) => areNumbers(value, 2, -across, across) && Math.abs(value[1]) <= up;
const isListOf = (test, least, most) => (value) =>
  Array.isArray(value) && value.length >= least && value.length <= most && value.every(test);

/** Whether a state is what some values would make it. */
const isLike = (state, values) =>
  Object.entries(values).every(([name, value]) => JSON.stringify(state[name]) === JSON.stringify(value));

/** Run `step(t)` for t from 0 to 1, at once where the reader asks for no motion; returns what stops it. */
function animate(step, done) {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let start = null;
  const frame = (now) => {
    start ??= now;
    const t = still ? 1 : Math.min(1, (now - start) / 450);
    step(t * t * (3 - 2 * t));
    if (t < 1) waiting = requestAnimationFrame(frame);
    else done();
  };
  let waiting = requestAnimationFrame(frame);
  return () => cancelAnimationFrame(waiting);
}

/** Do some work with the next frame, once however often it is asked for. */
function eachFrame(work) {
  let waiting = 0;
  const cancel = () => {
    if (waiting) cancelAnimationFrame(waiting);
    waiting = 0;
  };
  const frame = () => {
    waiting = 0;
    work();
  };
  return { cancel, later: () => (waiting ||= requestAnimationFrame(frame)) };
}

/** Put an explorer's page into its element; returns a function that finds its parts. */
function openPage(el, page) {
  el.classList.add("kx");
  el.dataset.lmSuppressShortcuts = "true";
  el.innerHTML = page;
  return (name) => el.querySelector(`[data-part="${name}"]`);
}

/**
 * Have a state live: `draw()` shows its result in all panels, `later()` does so with the next frame
 * and tells them that it moves, `speak()` says it aloud, and `save()` draws, says and hands the
 * traits to the model. The banner follows the hand with the panels. What the model or the reset
 * button changes is loaded, as `fits` allows, and `loaded` comes after that. `stop` ends what goes on
 * by itself, `settle` comes before a state is saved, `settled` after one is shown for good. Returns a
 * function that ends all.
 */
function enliven(state, { model, el, fits, result, panels, words, loaded, stop, settle, settled }) {
  const events = Object.keys(fits).map((name) => `change:${name}`).join(" ");
  const [banner, aloud] = [el.querySelector(".kx-banner"), el.querySelector(".kx-said")];
  const draw = (moving = false) => {
    state.result = result();
    panels.forEach((panel) => panel(state.result, moving));
    announce(banner, words());
  };
  const frames = eachFrame(() => draw(true));
  const speak = () => (aloud.textContent = banner.textContent.trim());
  const show = () => {
    frames.cancel();
    draw();
    speak();
    settled?.();
  };
  const follow = () => {
    stop?.();
    Object.assign(state, traitsOf(model, fits));
    loaded?.();
    show();
  };
  const save = () => {
    settle?.();
    show();
    model.off(events, follow);
    model.set(structuredClone(Object.fromEntries(Object.keys(fits).map((name) => [name, state[name]]))));
    model.on(events, follow);
    model.save_changes();
  };
  Object.assign(state, { draw, speak, save, later: frames.later });
  listenToReset(el, model, follow);
  model.on(events, follow);
  follow();
  return () => {
    stop?.();
    frames.cancel();
    model.off(events, follow);
  };
}

/**
 * A named range input with its value in words; while it moves `input(value)` takes it into the state,
 * which is shown, and saved once it is let go. Returns a function that sets it.
 */
function range(host, state, { name, least, most, step, words, input }) {
  const row = host.appendChild(document.createElement("label"));
  row.className = "kx-range";
  row.innerHTML = '<span></span><input type="range" autocomplete="off"><em></em>';
  const [title, field, shown] = row.children;
  say(title, name);
  set(field, { min: least, max: most, step });
  const show = (value) => {
    field.setAttribute("aria-valuetext", words(value));
    say(shown, words(value));
  };
  field.addEventListener("input", () => {
    show(Number(field.value));
    input(Number(field.value));
    state.later();
  });
  field.addEventListener("change", () => state.save());
  return (value) => {
    field.value = value;
    show(value);
  };
}

/**
 * A slider of a trait, or of a part `of()` the state, at places of its own where `to` gives their
 * values; returns what shows it.
 */
function slider(host, state, trait, {
  name, of = () => state, to = Number, from = Number, words = (value) => `${name} = ${value}`, ...ends
}) {
  const show = range(host, state, {
    name, ...ends,
    words: (place) => words(to(place)),
    input: (place) => (of()[trait] = to(place)),
  });
  return () => show(from(of()[trait]));
}

/** A hatching of a drawing with a name of its own, for what is negative: the value of a `fill`. */
function hatching(root, name) {
  const id = `kx-hatch-${name}`;
  const size = { width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
  const pattern = svg(svg(root, "defs"), "pattern", { id, ...size });
  svg(pattern, "line", { x1: 0, y1: 0, x2: 0, y2: 5, class: "kx-hatch" });
  return `url(#${id})`;
}

/** Colour a banner by what it says; what describes and does not judge holds neither way. */
function judge(banner, holds) {
  banner.classList.toggle("kx-holds", holds === true);
  banner.classList.toggle("kx-fails", holds === false);
}

/** Write what an explorer says into its banner. */
function announce(banner, { holds, head, reason }) {
  judge(banner, holds);
  say(banner.querySelector("strong"), head);
  say(banner.querySelector("span"), reason);
}

// A Greek letter, and one that stands alone, but for articles and units.
const SYMBOL = /((?<![\p{L}\d’]|\d )(?:HKH|nS|[b-zB-HJ-Z])(?![\p{L}\d])|(?<!\p{L})[α-ω](?!\p{L}))/u;

/** Write words, with the symbols in them as such. */
function say(element, words) {
  const parts = words.split(SYMBOL).map((part, at) => {
    if (at % 2 === 0) return part;
    const symbol = document.createElement("i");
    symbol.textContent = part;
    return symbol;
  });
  element.replaceChildren(...parts);
}

/** Tenths of a unit are enough for a drawing. */
const tenth = (v) => Math.round(10 * v) / 10;

const hundredth = (v) => Math.round(100 * v) / 100;

/** Three digits are enough for what a slider sets. */
const threeDigits = (v) => Number(v.toPrecision(3));
/** Places and values of a slider by powers of ten. */
const POWERS = { to: (place) => threeDigits(10 ** place), from: Math.log10 };

const overlap = (one, other) => one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];
const around = ([x, y], wide, high) => [x - wide / 2, y - high / 2, x + wide / 2, y + high / 2];
const middleOf = ([left, top, right, bottom]) => [(left + right) / 2, (top + bottom) / 2];

/** Boxes for a name beside its point, the first the best. */
const besidePoint = ([x, y], long, gap) =>
  [[gap + long / 2, 0], [-gap - long / 2, 0], [0, -gap - 7], [0, gap + 7]].map(([dx, dy]) => around([x + dx, y + dy], long, 14));

/** Boxes for a name farther and farther off, in twenty-four directions. */
function farFrom([x, y], long) {
  const turns = Array.from({ length: 24 }, (_, k) => (k * Math.PI) / 12).map((angle) => [Math.cos(angle), Math.sin(angle)]);
  const at = (r) => turns.map(([c, s]) => around([x + c * (r + (long / 2) * Math.abs(c)), y + s * (r + 7 * Math.abs(s))], long, 14));
  return [14, 20, 28, 38, 50, 64, 80, 100, 125, 155, 190].flatMap(at);
}

/** Small boxes along a line, and its length. */
function alongLine(start, end, side) {
  const length = Math.hypot(end[0] - start[0], end[1] - start[1]);
  const parts = Math.ceil(length / 4);
  const at = (k) => start.map((v, axis) => v + (k / parts) * (end[axis] - v));
  return { along: Array.from({ length: parts }, (_, k) => around(at(k), side, side)), length };
}

/** The line from a point to the box of its name: where it ends, small boxes along it, how long it is. */
function leaderTo([left, top, right, bottom], [x, y]) {
  const end = [Math.max(left, Math.min(right, x)), Math.max(top + 2, Math.min(bottom - 2, y))];
  const { along, length } = alongLine([x, y], end, 1);
  return { end, along: along.slice(2), length };
}

/** The points of a drawing in the order in which they get their names: the most crowded before the others. */
function byCrowd(pixels) {
  const near = pixels.map(([x, y]) => pixels.filter(([u, v]) => Math.hypot(x - u, y - v) < 40).length);
  return [...pixels.keys()].sort((i, j) => near[j] - near[i]);
}

const isInside = (box, [width, height]) => box[0] > -width / 2 && box[2] < width / 2 && box[1] > -height / 2 && box[3] < height / 2;

const side = ([a, b], [c, d], [x, y]) => Math.sign((c - a) * (y - b) - (d - b) * (x - a));
const meet = ([p, q], [r, s]) => side(p, q, r) !== side(p, q, s) && side(r, s, p) !== side(r, s, q);

/** The best of some boxes for a name that stands apart: its line is short and crosses little. */
function awayFrom(at, boxes, { covered, leaders }) {
  const crossed = (along) => covered.filter((other) => along.some((part) => overlap(part, other))).length;
  const met = (end) => leaders.filter((other) => meet(other, [at, end])).length;
  const cost = ({ end, along, length }) => 8 * crossed(along) + 8 * met(end) + length / 8;
  let best = null;
  for (const box of boxes) {
    const line = leaderTo(box, at);
    if (best && line.length / 8 >= best.cost) continue;
    const found = { box, ...line, at, cost: cost(line) };
    if (!best || found.cost < best.cost) best = found;
  }
  return best;
}

/**
 * Where the names of points stand without touching points, one another or what is `taken`: a box for
 * each, and the end of a line to it where there is no room beside the point, if names may stand
 * `apart`. Those of `first` choose first; their points are drawn larger. Names that stand apart
 * choose once more when all others stand.
 */
function nameBoxes(pixels, names, first, size, apart = true, taken = []) {
  const [dots, found] = [pixels.map((at) => around(at, 10, 10)), pixels.map(() => null)];
  const isFirst = (i) => first.includes(i);
  const place = (i, isFar) => {
    found[i] = null;
    const standing = found.filter(Boolean);
    const boxes = standing.map(({ box }) => box);
    const lines = [...taken, ...standing.flatMap(({ along }) => along)];
    const long = (isFirst(i) ? 6.8 : 6.2) * names[i].length + 6;
    const isFree = (box) => isInside(box, size) && ![dots, boxes, lines].some((kind) => kind.some((other) => overlap(box, other)));
    const crowd = (box) => dots.filter((dot) => overlap(dot, around(middleOf(box), long + 50, 64))).length;
    const beside = besidePoint(pixels[i], long, isFirst(i) ? 10 : 8);
    const box = apart ? beside.filter(isFree).sort((one, other) => crowd(one) - crowd(other))[0] : beside.find(isFree);
    if (box) found[i] = { box, along: [], at: pixels[i] };
    else if (isFar) {
      const leaders = standing.filter(({ end }) => end).map(({ at, end }) => [at, end]);
      found[i] = awayFrom(pixels[i], farFrom(pixels[i], long).filter(isFree), { covered: [...dots, ...boxes], leaders });
    }
  };
  const others = byCrowd(pixels).filter((i) => !isFirst(i) && names[i] !== "");
  for (const each of [first, others]) for (const isFar of apart ? [false, true] : [false]) each.filter((i) => !found[i]).forEach((i) => place(i, isFar));
  if (apart) others.filter((i) => !found[i] || found[i].end).forEach((i) => place(i, true));
  return found;
}

/** A name that goes along with its point, inside the drawing. */
function carried(one, [x, y], [width, height]) {
  if (!one) return null;
  const [left, top, right, bottom] = one.box;
  const [across, down] = [x - one.at[0], y - one.at[1]];
  const dx = Math.max(-width / 2 - left, Math.min(width / 2 - right, across));
  const dy = Math.max(-height / 2 - top, Math.min(height / 2 - bottom, down));
  return { ...one, box: [left + dx, top + dy, right + dx, bottom + dy], end: one.end?.map((v, axis) => v + [dx, dy][axis]) };
}

/**
 * The names of points, with lines to those that stand apart; returns a function that writes them.
 * While points move, names go along; they are placed anew once all is still.
 */
function nameLayer(root, names, size) {
  const lines = svg(root, "path", { class: "kx-leader", "aria-hidden": "true" });
  const written = names.map(() => svg(root, "text", { class: "kx-name", "text-anchor": "middle" }));
  let still = names.map(() => null);
  return (pixels, chosen, { alone = false, moving = false } = {}) => {
    if (!moving) still = nameBoxes(pixels, names, chosen, size);
    const boxes = still.map((one, i) => (alone && !chosen.includes(i) ? null : carried(one, pixels[i], size)));
    written.forEach((mark, i) => {
      mark.textContent = boxes[i] ? names[i] : "";
      mark.classList.toggle("kx-on", chosen.includes(i));
      if (!boxes[i]) return;
      const [x, y] = middleOf(boxes[i].box).map(tenth);
      set(mark, { x, y });
    });
    const line = (one, i) => (one?.end ? `M${pixels[i].map(tenth).join(" ")}L${one.end.map(tenth).join(" ")}` : "");
    set(lines, { d: boxes.map(line).join("") });
  };
}

/** Lines and numbers of a chart's axis: at each value a line from `from` to `to`, and its number. */
function gridLines(root, values, line, label) {
  for (const value of values) {
    svg(root, "line", { ...line(value), class: value === 0 ? "kx-axis" : "kx-rule" });
    write(root, text(value, 0), { ...label(value), class: "kx-tick" });
  }
}

/** The number that a reader typed, with a point or a comma, or a sentence that refuses it. */
export function readNumber(typed, most) {
  const plain = typed.trim().replace(",", ".").replace("\u2212", "-");
  const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : NaN;
  if (number >= 0 && number <= most) return { number };
  const wanted = `The table takes numbers from 0 to ${most}.`;
  if (plain === "") return { refusal: wanted };
  if (Number.isNaN(number)) return { refusal: `\u201c${typed.trim()}\u201d is no number. ${wanted}` };
  const why = number < 0 ? "A distance is never negative." : `${typed.trim()} is too long.`;
  return { refusal: `${why} ${wanted}` };
}

/**
 * A field for a number from 0 to `most`, which arrow keys change by `by`. `take(number)` follows what
 * is typed, `refuse(words)` says why not; once it is left, `shown()` stands there and all is saved.
 */
function numberField(field, state, { most, by, get, shown, take, refuse }) {
  const leave = () => {
    field.removeAttribute("aria-invalid");
    field.value = shown();
    state.save();
  };
  field.addEventListener("input", () => {
    const { number, refusal } = readNumber(field.value, most);
    field.setAttribute("aria-invalid", String(refusal !== undefined));
    if (refusal === undefined) take(number);
    else refuse(refusal);
  });
  field.addEventListener("change", leave);
  field.addEventListener("keydown", (event) => {
    const step = { ArrowUp: by, ArrowDown: -by }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    field.removeAttribute("aria-invalid");
    take(hundredth(Math.min(most, Math.max(0, get() + step))));
    leave();
  });
}

/** A button for each value, with what is written on it; `data-<kind>` holds the value. They look as "samples", "modes" or "actions". */
function buttonGroup(label, kind, words, look) {
  const one = ([value, text]) => `<button type="button" data-${kind}="${value}">${text}</button>`;
  return `<span role="group" aria-label="${label}" class="kx-${look}">${Object.entries(words).map(one).join("")}</span>`;
}

/**
 * Have buttons with `data-<kind>` act: `kinds[kind]` is [act(value), isOn(value)], the second where
 * they show which is on. What they change is saved. Returns what shows them.
 */
function listenToButtons(el, state, kinds) {
  const shows = Object.entries(kinds).map(([kind, [act, isOn]]) => {
    const buttons = [...el.querySelectorAll(`button[data-${kind}]`)];
    for (const button of buttons) {
      button.addEventListener("click", () => {
        act(button.dataset[kind]);
        state.save();
      });
    }
    return () => isOn && buttons.forEach((button) => set(button, { "aria-pressed": isOn(button.dataset[kind]) }));
  });
  return () => shows.forEach((show) => show());
}

/** Buttons that choose the value of a trait. */
const choosing = (state, trait) => [(value) => (state[trait] = value), (value) => state[trait] === value];

/** Rows of a table, with names and so many cells; returns the cells of each. */
function factRows(host, names, count) {
  host.innerHTML = names.map((name) => `<tr><th scope="row">${name}</th>${"<td></td>".repeat(count)}</tr>`).join("");
  return [...host.children].map((row) => [...row.children]);
}

/** The pairs i < j of n objects, row by row. */
function pairsAmong(n) {
  const all = Array.from({ length: n }, (_, i) => i);
  return all.flatMap((i) => all.slice(i + 1).map((j) => [i, j]));
}

/** A symmetric table of n objects from its entries above the diagonal, row by row. */
export function fromPairs(entries, n) {
  const D = new Float64Array(n * n);
  pairsAmong(n).forEach(([i, j], at) => (D[i * n + j] = D[j * n + i] = entries[at]));
  return D;
}

/** The pairs of n objects with their lengths in a table and on a map of the plane, the worst first. */
function disagreements(D, points, n) {
  const d = distances(points, 2);
  const pairOf = ([i, j]) => ({ i, j, table: D[i * n + j], map: d[i * n + j], error: d[i * n + j] - D[i * n + j] });
  return pairsAmong(n).map(pairOf).sort((a, b) => Math.abs(b.error) - Math.abs(a.error));
}

// Circle, square and triangle: groups differ by shape.
const MARKS = ["M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0", "M-4.5-4.5h9v9h-9z", "M0-6l5.7 10h-11.4z"];

/** Marks of objects in a drawing; returns a function that places them. `grab` may make them move. */
function marks(layer, grab = null) {
  let drawn = [];
  return (pixels, groups) => {
    if (drawn.length !== pixels.length) {
      layer.replaceChildren();
      drawn = pixels.map((_, i) => {
        const mark = svg(layer, "g", { class: "kx-data" });
        grab?.(mark, i);
        return { mark, shape: svg(mark, "path") };
      });
    }
    drawn.forEach(({ mark, shape }, i) => {
      set(mark, { transform: `translate(${pixels[i].map(tenth).join(" ")})` });
      set(shape, { d: MARKS[groups[i] % 3] });
    });
  };
}

/** The turn of a map of the plane: an angle in degrees, and -1 where it is mirrored. */
const turnOf = ([a, b, c, d]) => [Math.round((1800 * Math.atan2(c, a)) / Math.PI) / 10, a * d < b * c ? -1 : 1];

const isTurn = (value) => areNumbers(value, 2, -180, 180) && Math.abs(value[1]) === 1;

/**
 * Turns each map of the plane onto the last one shown: a function from a map to its rotation. The
 * first map, a fresh one and one of another number of objects get the turn that is given.
 */
function steadyTurn() {
  let last = null;
  return (Y, [degrees, side], fresh = false) => {
    const [sine, cosine] = [Math.sin, Math.cos].map((of) => of((degrees * Math.PI) / 180));
    const given = Float64Array.of(cosine, -side * sine, sine, side * cosine);
    const steady = !fresh && last?.length === Y.length;
    const rotation = steady ? procrustesAlign(Y, 2, last).rotation : given;
    last = multiplied(Y, 2, rotation, 2);
    return rotation;
  };
}

/** Eigenvalues counted by sign, rounding apart: also that of the entries, up to `scale`, before they were centred. */
function countSigns(values, scale = 0) {
  const zero = rankTolerance(values.length) * Math.max(scale, largestModulus(values));
  const count = (test) => values.filter(test).length;
  return { zero, positive: count((v) => v > zero), negative: count((v) => v < -zero) };
}

/** All eigenvalues as bars; `kind(r, value)` is the class of bar r. Returns a function that draws them. */
function spectrumPanel(host) {
  const root = svg(host, "svg", { viewBox: "0 0 340 120", class: "kx-chart", role: "img" });
  const hatch = hatching(root, "spectrum");
  const bars = svg(root, "g");
  const axis = svg(root, "line", { x1: 0, x2: 340, class: "kx-axis" });
  return (values, name, kind, scale = 0) => {
    const { zero } = countSigns(values, scale);
    const [high, low] = [Math.max(0, values[0]), Math.max(0, -values[values.length - 1])];
    const unit = 112 / (high + low || 1);
    const [ground, width] = [4 + unit * high, 340 / values.length];
    bars.replaceChildren();
    values.forEach((value, r) => {
      if (Math.abs(value) <= zero) return;
      const height = Math.max(1.5, unit * Math.abs(value));
      const place = { x: r * width + 0.12 * width, y: value > 0 ? ground - height : ground, width: 0.76 * width, height };
      svg(bars, "rect", { ...place, class: kind(r, value) });
      if (value < 0) svg(bars, "rect", { ...place, fill: hatch });
    });
    set(axis, { y1: ground, y2: ground });
    const ends = [values[0], values[values.length - 1]].map((v) => text(v, 3));
    set(root, { "aria-label": `${values.length} eigenvalues of ${name}, from ${ends.join(" down to ")}.` });
  };
}

/**
 * Dots at some places, one of which a handle holds: a press calls `take(i)` for the nearest, and then
 * drags the handle. Returns the dots, and what draws them with the handle at some pixels.
 */
function takeable(drawing, count, state, { places, take, ...held }) {
  const grip = handle(drawing, state, { name: "point", mark: "", className: "kx-city", ...held });
  const nearest = ([x, y]) => {
    const far = places().map(([a, b]) => Math.hypot(a - x, b - y));
    return far.indexOf(Math.min(...far));
  };
  const spots = Array.from({ length: count }, () => svg(drawing.root, "g", { class: "kx-spot", "aria-hidden": "true" }));
  for (const spot of spots) {
    svg(spot, "circle", { r: 14, class: "kx-target" });
    svg(spot, "circle", { r: 4.2, class: "kx-place" });
    onPress(spot, (event) => {
      take(nearest(drawing.world(event)));
      drawing.root.querySelector(".kx-city").dispatchEvent(new PointerEvent(event.type, event));
      event.preventDefault();
    });
  }
  const place = (pixels) => {
    pixels.forEach((at, i) => set(spots[i], { transform: `translate(${at.map(tenth).join(" ")})` }));
    grip();
  };
  return { spots, place };
}

/** The points of a state, up to `count`, each of which can be dragged, as in `takeable`. */
function draggable(drawing, count, state, said) {
  return takeable(drawing, count, state, {
    said,
    places: () => state.points,
    get: () => state.points[state.chosen],
    move: (point) => (state.points[state.chosen] = point),
    take(i) {
      state.chosen = i;
      state.draw();
    },
  });
}
