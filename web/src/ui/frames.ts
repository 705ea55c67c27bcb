// Motion, at once if the reader prefers none, and work in animation frames.

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Scroll to an element. */
export function scrollTo(element: Element, block: ScrollLogicalPosition): void {
  element.scrollIntoView({ behavior: isStill() ? "auto" : "smooth", block });
}

/** Call `step(t)` for t from 0 to 1, and then `done()`. Return a function that stops it. */
export function animate(step: (t: number) => void, done: () => void) {
  let start: number | null = null;
  const frame = (now: number) => {
    const t = isStill() ? 1 : Math.min(1, (now - (start ??= now)) / 450);
    step(t * t * (3 - 2 * t));
    if (t < 1) waiting = requestAnimationFrame(frame);
    else done();
  };
  let waiting = requestAnimationFrame(frame);
  return () => cancelAnimationFrame(waiting);
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
