// Shared by the explorers: explorers.py puts this text in front of each of them.

/** Text of a number with a true minus sign and no negative zero. */
export function text(value, digits = 2) {
  const fixed = value.toFixed(digits);
  return (Number(fixed) === 0 ? (0).toFixed(digits) : fixed).replace("-", "\u2212");
}

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

/**
 * A point of a plane that mouse, touch and arrow keys move.
 * `move(point)` is called while it moves, `release()` once when it is let go.
 */
function handle(drawing, { name, mark, className, get, move, release }) {
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
  svg(group, "text", { class: "kx-mark" }).textContent = mark;
  let held = null;
  group.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    held = drawing.world(event).map((v, axis) => get()[axis] - v);
    group.setPointerCapture(event.pointerId);
    group.focus({ preventScroll: true });
    event.preventDefault();
  });
  group.addEventListener("pointermove", (event) => {
    if (held) move(drawing.clamp(drawing.world(event).map((v, axis) => v + held[axis])));
  });
  group.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
  const drop = () => {
    if (held) release();
    held = null;
  };
  group.addEventListener("pointerup", drop);
  group.addEventListener("pointercancel", drop);
  // All keys of a slider are the handle's own: the page does not scroll below it.
  const steps = {
    ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1],
    PageUp: [0, 0.5], PageDown: [0, -0.5], Home: [-1e3, 0], End: [1e3, 0],
  };
  group.addEventListener("keydown", (event) => {
    if (!(event.key in steps)) return;
    const times = event.shiftKey && event.key.startsWith("Arrow") ? 5 : 1;
    move(drawing.clamp(get().map((v, axis) => v + times * steps[event.key][axis])));
    event.preventDefault();
    event.stopPropagation();
  });
  group.addEventListener("keyup", (event) => {
    if (event.key in steps) release();
  });
  return () => {
    const [x, y] = get();
    set(group, {
      transform: `translate(${drawing.pixel([x, y]).join(" ")})`,
      "aria-valuenow": x,
      "aria-valuetext": `x ${text(x)}, y ${text(y)}`,
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

/** The button that every explorer has, in its bar: on a page, "copy link" follows on it. */
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

/** Whether a value is an array of so many numbers, none outside some bounds. */
function areNumbers(value, count, low = -Infinity, high = Infinity) {
  const isNumber = (x) => Number.isFinite(x) && x >= low && x <= high;
  return Array.isArray(value) && value.length === count && value.every(isNumber);
}

/** Run `step(t)` for t from 0 to 1, at once where the reader asks for no motion. */
function animate(step, done) {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let start = null;
  const frame = (now) => {
    start ??= now;
    const t = still ? 1 : Math.min(1, (now - start) / 450);
    step(t * t * (3 - 2 * t));
    if (t < 1) requestAnimationFrame(frame);
    else done();
  };
  requestAnimationFrame(frame);
}
