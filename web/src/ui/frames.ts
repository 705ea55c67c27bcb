// Motion, at once if the reader prefers none, and work in animation frames.

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Scroll to an element. */
export function scrollTo(element: Element, block: ScrollLogicalPosition): void {
  element.scrollIntoView({ behavior: isStill() ? "auto" : "smooth", block });
}

/** Call `step(t)` for t from 0 to 1, and then `done()`. Return a function that stops it. */
export function animate(step: (t: number) => void, done?: () => void) {
  let start: number | null = null;
  let waiting = 0;
  const frame = (now: number) => {
    const t = isStill() ? 1 : Math.min(1, (now - (start ??= now)) / 450);
    step(t * t * (3 - 2 * t));
    if (t < 1) waiting = requestAnimationFrame(frame);
    else done?.();
  };
  frame(performance.now());
  return () => cancelAnimationFrame(waiting);
}

/**
 * Return a function that shows numbers; unless the reader is `moving` something, they change to the
 * new ones gradually.
 */
export function gradually(show: (values: number[], moving: boolean) => void) {
  let shown: number[] = [];
  let stop = () => {};
  return (values: number[], moving = false) => {
    stop();
    const start = shown;
    const step = (t: number) => {
      shown = t < 1 ? values.map((v, i) => start[i] + t * (v - start[i])) : values;
      show(shown, moving || t < 1);
    };
    const isNew = start.some((v, i) => Math.abs(v - values[i]) > 1e-6);
    if (isNew && !moving) stop = animate(step);
    else step(1);
  };
}

/** Return `later()`, which runs `work` once in the next frame, and `cancel()`. */
export function eachFrame(work: () => void) {
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
