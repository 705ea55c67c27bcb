// Sliders that switch between frames drawn in advance.

import { stateOf, whenNear } from "./figure.ts";

/** Show the frame for the values of the sliders; the value of the second changes fastest. */
function startSlider(figure: HTMLElement) {
  const { options, frames } = stateOf(figure);
  const inputs = [...figure.querySelectorAll("input")];
  const readouts = [...figure.querySelectorAll("output")];
  const [image] = figure.getElementsByTagName("img");
  const show = () => {
    const frame = inputs.reduce((sum, { value }, k) => sum * options[k].length + Number(value), 0);
    inputs.forEach((input, k) => {
      const text = options[k][input.value];
      input.setAttribute("aria-valuetext", text);
      readouts[k].textContent = text;
    });
    [image.src, image.alt] = frames[frame];
  };
  inputs.forEach((input) => input.addEventListener("input", show));
  figure.dataset.ready = "";
}

/** Load all frames of a figure before its slider is moved. */
function fetchFrames(figure: HTMLElement) {
  const imageOf = ([src]: string[]) => Object.assign(new Image(), { src });
  Object.assign(figure, { frames: stateOf(figure).frames.map(imageOf) });
}

export function startSliders() {
  const sliders = [...document.querySelectorAll<HTMLElement>(".kmds-slider")];
  sliders.forEach(startSlider);
  whenNear(sliders, fetchFrames);
}
