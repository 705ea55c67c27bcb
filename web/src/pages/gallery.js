// The gallery of the preface, whose drawings move while the mouse is on their card.

import { moduleOf } from "./explorers.js";
import { stateOf } from "./figure.js";
import { modelOf } from "./model.js";

/**
 * A value on the way from one to another: whole numbers stay whole, and lists of two lengths change
 * at once.
 */
function between(from, to, t) {
  const part = (name) => between(from[name], to[name], t);
  if (Array.isArray(to)) return to.length === from.length ? to.map((_, i) => part(i)) : to;
  if (typeof to === "object")
    return Object.fromEntries(Object.keys(to).map((name) => [name, part(name)]));
  if (typeof to !== "number") return to;
  const value = from + t * (to - from);
  return Number.isInteger(from) && Number.isInteger(to) ? Math.round(value) : value;
}

/**
 * A state with some values changed, each named by its trait or by a part of one, as in "points.2".
 */
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

/**
 * Replace a still drawing of the gallery by the explorer's own; returns what shows it at a moment
 * of its round.
 */
async function liveThumb(thumb) {
  const first = stateOf(thumb);
  const { render } = await moduleOf(thumb);
  const el = document.createElement("div");
  const model = modelOf(structuredClone(first), { start: first }, () => {});
  render({ el, model });
  const [still, drawing] = [
    thumb.querySelector("svg, canvas"),
    el.querySelector(`[data-part="${thumb.dataset.panel}"] > *`),
  ];
  drawing.setAttribute("preserveAspectRatio", "xMidYMid slice");
  still.replaceWith(drawing);
  const moves = JSON.parse(thumb.dataset.moves);
  const states = moves
    .reduce((all, move) => [...all, changed(all.at(-1), move)], [first])
    .concat(first);
  const traits = [...new Set(moves.flatMap(Object.keys).map((path) => path.split(".")[0]))];
  return (part) => {
    const at = Math.min(Math.floor(part * (states.length - 1)), states.length - 2);
    const t = part * (states.length - 1) - at;
    const [from, to] = [states[at], states[at + 1]];
    model.set(
      Object.fromEntries(
        traits.map((trait) => [trait, between(from[trait], to[trait], t * t * (3 - 2 * t))]),
      ),
    );
  };
}

/**
 * Play a thumbnail round by round while a mouse or the focus is on its card, and once when a
 * finger brings it to the middle of the screen.
 */
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
  const card = thumb.closest(".chapter-card");
  for (const event of ["mouseenter", "focusin"]) card.addEventListener(event, want(true));
  for (const event of ["mouseleave", "focusout"]) card.addEventListener(event, want(false));
  if (!matchMedia("(hover: none)").matches) return;
  new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && play(), {
    rootMargin: "-45% 0px",
  }).observe(thumb);
}

/** Play the thumbnails of the page, unless the reader prefers reduced motion. */
export function startGallery() {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  document.querySelectorAll(".thumb").forEach(startThumb);
}
