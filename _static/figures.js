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

/** A model as the explorers' modules expect it, without a kernel behind it. */
function modelOf(state) {
  return {
    get: (name) => state[name],
    set: (changes) => Object.assign(state, changes),
    save_changes() {},
    on() {},
    off() {},
  };
}

/** Replace the drawing of an explorer by the explorer. */
async function startExplorer(figure) {
  const source = figure.querySelector('script[type="text/plain"]').textContent;
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const { default: explorer } = await import(address);
  URL.revokeObjectURL(address);
  const el = document.createElement("div");
  explorer.render({ el, model: modelOf({ ...stateOf(figure), _esm: source }) });
  figure.querySelector(".kx").replaceWith(el);
  figure.dataset.alive = "";
}

const sliders = document.querySelectorAll(".kmds-slider");
sliders.forEach(startSlider);
whenNear(sliders, fetchFrames);
whenNear(document.querySelectorAll(".kmds-explorer"), startExplorer);
