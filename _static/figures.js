"use strict";

// The interactive figures stand in the page as HTML that shows their first state
// (_ext/static_figures.py). This moves them: no widget manager, no request but for pictures.

/** Call `start` once for each element, when it comes within a screen of the viewport. */
function whenNear(elements, start) {
  const watch = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        watch.unobserve(target);
        start(target);
      }
    },
    { rootMargin: "100% 0px" },
  );
  elements.forEach((element) => watch.observe(element));
}

const stateOf = (figure) => JSON.parse(figure.querySelector('script[type="application/json"]').textContent);

/** Sliders turn over the frames of a figure; with two of them the second turns fastest. */
function startSlider(figure) {
  const { options, frames } = stateOf(figure);
  const inputs = [...figure.querySelectorAll("input")];
  const readouts = [...figure.querySelectorAll("output")];
  const image = figure.querySelector("img");
  const show = () => {
    const at = inputs.reduce((sum, input, k) => sum * options[k].length + Number(input.value), 0);
    inputs.forEach((input, k) => {
      const text = options[k][input.value];
      input.setAttribute("aria-valuetext", text);
      readouts[k].textContent = text;
    });
    [image.src, image.alt] = frames[at];
  };
  inputs.forEach((input) => input.addEventListener("input", show));
  figure.dataset.alive = "";
}

/** Have all frames of a figure at hand before its slider is moved. */
function fetchFrames(figure) {
  figure.frames = stateOf(figure).frames.map(([source]) => Object.assign(new Image(), { src: source }));
}

/** A value as text in which the order of names does not count. */
function canonical(value) {
  const isNamed = (part) => part !== null && typeof part === "object" && !Array.isArray(part);
  const sorted = (_, part) => (isNamed(part) ? Object.fromEntries(Object.entries(part).sort()) : part);
  return JSON.stringify(value, sorted);
}

const same = (a, b) => canonical(a) === canonical(b);

/** A model as the explorers' modules expect it, without a kernel; what is fixed is no trait of a link. */
function modelOf(state, fixed, save) {
  const heard = new Map();
  const listenersOf = (event) => heard.get(event) ?? heard.set(event, new Set()).get(event);
  return {
    get: (name) => (name in fixed ? fixed[name] : state[name]),
    set(name, value) {
      const changes = typeof name === "string" ? { [name]: value } : name;
      const changed = Object.keys(changes).filter((trait) => !same(changes[trait], state[trait]));
      Object.assign(state, changes);
      const called = changed.flatMap((trait) => [...listenersOf(`change:${trait}`)]);
      new Set(called).forEach((listener) => listener());
    },
    save_changes: save,
    on: (events, listener) => events.split(" ").forEach((event) => listenersOf(event).add(listener)),
    off: (events, listener) => events.split(" ").forEach((event) => listenersOf(event).delete(listener)),
  };
}

// A longer query is no link.
const LONGEST_QUERY = 4000;

/** The part of an explorer's state in which it differs from the first one, as a query. */
function queryOf(name, state, first, unlinked) {
  const differs = (trait) => !unlinked.includes(trait) && !same(state[trait], first[trait]);
  const differing = Object.keys(first).filter(differs).map((trait) => [trait, state[trait]]);
  const query = new URLSearchParams({ [name]: JSON.stringify(Object.fromEntries(differing)) });
  return { query, isFirst: !differing.length || String(query).length > LONGEST_QUERY };
}

/** What the address asks of an explorer: traits that it has, each of its kind. The explorer checks more. */
function askedOf(name, first, unlinked) {
  const kindOf = (value) => (Array.isArray(value) ? "array" : typeof value);
  const fits = (trait, value) =>
    [value, first[trait]].includes(null) || kindOf(value) === kindOf(first[trait]);
  try {
    const asked = Object.entries(JSON.parse(new URLSearchParams(location.search).get(name)));
    const known = ([trait]) => Object.hasOwn(first, trait) && !unlinked.includes(trait);
    return Object.fromEntries(asked.filter(known).filter(([trait, value]) => fits(trait, value)));
  } catch {
    return {};
  }
}

/** Have the state of an explorer in the page's address, if it is not the first one. */
function writeAddress(name, { query, isFirst }) {
  const all = new URLSearchParams(location.search);
  if (isFirst) all.delete(name);
  else all.set(name, query.get(name));
  const search = String(all) && `?${all}`;
  history.replaceState(history.state, "", location.pathname + search + location.hash);
}

/** The button beside "reset" that copies a link to what an explorer shows. */
function offerLink(figure, query) {
  const button = figure.querySelector(".kx-reset").cloneNode();
  button.className = "kx-link";
  button.setAttribute("aria-live", "polite");
  button.textContent = "copy link";
  figure.querySelector(".kx-reset").after(button);
  button.addEventListener("click", async () => {
    const address = new URL(location.href);
    [address.search, address.hash] = [query(), ""];
    try {
      await navigator.clipboard.writeText(address.href);
      button.textContent = "link copied";
    } catch {
      history.replaceState(history.state, "", address);
      button.textContent = "see address bar";
    }
    setTimeout(() => (button.textContent = "copy link"), 2000);
  });
}

const sharedModule = () => document.getElementById("shared-module").textContent;

/** The text of an explorer's module: what all share, and its own part. */
function moduleText(figure) {
  return sharedModule() + figure.querySelector('script[type="text/plain"]').textContent;
}

async function moduleOf(figure) {
  const address = URL.createObjectURL(new Blob([moduleText(figure)], { type: "text/javascript" }));
  const { default: explorer } = await import(address);
  URL.revokeObjectURL(address);
  return explorer;
}

/** Replace the drawing of an explorer by the explorer, in the state that the address asks for. */
function showExplorer(figure, { render, unlinked = [] }) {
  const [name, first] = [figure.dataset.name, stateOf(figure)];
  const fixed = { start: first, get _esm() { return moduleText(figure); } };
  let state = null;
  const query = () => queryOf(name, state, first, unlinked);
  const begin = (asked) => {
    const el = document.createElement("div");
    state = structuredClone({ ...first, ...asked });
    render({ el, model: modelOf(state, fixed, () => writeAddress(name, query())) });
    return el;
  };
  const beginAsAsked = () => {
    try {
      return begin(askedOf(name, first, unlinked));
    } catch {
      return begin({});
    }
  };
  figure.querySelector(".kx").replaceWith(beginAsAsked());
  offerLink(figure, () => query().query);
  figure.dataset.alive = "";
}

async function startExplorer(figure) {
  showExplorer(figure, await moduleOf(figure));
}

/** Go to the explorer for which the address holds a state. */
function goToAsked(explorers) {
  const [entry] = performance.getEntriesByType("navigation");
  if (location.hash || entry?.type !== "navigate") return;
  const query = new URLSearchParams(location.search);
  explorers.find((figure) => query.has(figure.dataset.name))?.scrollIntoView();
}

const sliders = document.querySelectorAll(".kmds-slider");
sliders.forEach(startSlider);
whenNear(sliders, fetchFrames);
const explorers = [...document.querySelectorAll(".kmds-explorer")];
goToAsked(explorers);
whenNear(explorers, startExplorer);

/** A value on the way from one to another: whole numbers stay whole, and lists of two lengths change at once. */
function between(from, to, t) {
  const part = (name) => between(from[name], to[name], t);
  if (Array.isArray(to)) return to.length === from.length ? to.map((_, i) => part(i)) : to;
  if (typeof to === "object") return Object.fromEntries(Object.keys(to).map((name) => [name, part(name)]));
  if (typeof to !== "number") return to;
  const value = from + t * (to - from);
  return Number.isInteger(from) && Number.isInteger(to) ? Math.round(value) : value;
}

/** A state with some values changed, each named by its trait or by a part of one, as in "points.2". */
function changed(state, changes) {
  const next = structuredClone(state);
  for (const [path, value] of Object.entries(changes)) {
    const [trait, part] = path.split(".");
    if (part) next[trait][part] = value;
    else next[trait] = value;
  }
  return next;
}

const ROUND = 4500; // milliseconds, below the five after which what moves by itself needs a button

/** Replace a still drawing of the gallery by the explorer's own; returns what shows it at a moment of its round. */
async function liveThumb(thumb) {
  const first = stateOf(thumb);
  const { render } = await moduleOf(thumb);
  const el = document.createElement("div");
  const model = modelOf(structuredClone(first), { start: first, get _esm() { return moduleText(thumb); } }, () => {});
  render({ el, model });
  const [still, drawing] = [thumb.querySelector("svg, canvas"), el.querySelector(`[data-part="${thumb.dataset.panel}"] > *`)];
  drawing.setAttribute("preserveAspectRatio", "xMidYMid slice");
  still.replaceWith(drawing);
  const moves = JSON.parse(thumb.dataset.moves);
  const states = moves.reduce((all, move) => [...all, changed(all.at(-1), move)], [first]).concat(first);
  const traits = [...new Set(moves.flatMap(Object.keys).map((path) => path.split(".")[0]))];
  return (part) => {
    const at = Math.min(Math.floor(part * (states.length - 1)), states.length - 2);
    const t = part * (states.length - 1) - at;
    const [from, to] = [states[at], states[at + 1]];
    model.set(Object.fromEntries(traits.map((trait) => [trait, between(from[trait], to[trait], t * t * (3 - 2 * t))])));
  };
}

/** Play a thumbnail round by round while a mouse or the focus is on it, and once when a finger brings it to the middle of the screen. */
function startThumb(thumb) {
  let [wanted, playing, show] = [false, false, null];
  const play = async () => {
    if (playing) return;
    playing = true;
    show ??= await liveThumb(thumb);
    let begun = null;
    const frame = (now) => {
      begun ??= now;
      const part = Math.min(1, (now - begun) / ROUND);
      show(part);
      if (part < 1) return requestAnimationFrame(frame);
      playing = false;
      if (wanted) play();
    };
    requestAnimationFrame(frame);
  };
  const want = (is) => () => (wanted = is) && play();
  for (const event of ["mouseenter", "focus"]) thumb.addEventListener(event, want(true));
  for (const event of ["mouseleave", "blur"]) thumb.addEventListener(event, want(false));
  if (!matchMedia("(hover: none)").matches) return;
  new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && play(), { rootMargin: "-45% 0px" }).observe(thumb);
}

if (!matchMedia("(prefers-reduced-motion: reduce)").matches) document.querySelectorAll(".thumb").forEach(startThumb);
