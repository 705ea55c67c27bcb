// Take the steps of a computation, which is a generator that yields its progress.

/** Take steps without reporting progress. @template R @param {Generator<unknown, R>} steps */
export function* withoutProgress(steps) {
  let step = steps.next();
  while (!step.done) {
    yield {};
    step = steps.next();
  }
  return step.value;
}
/** @template R @param {Generator<unknown, R>} steps */
export function runToEnd(steps) {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}
