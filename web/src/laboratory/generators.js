// Take the steps of a computation, which is a generator that yields its progress.

/** Take steps at which a computation can be stopped, without reporting its progress. */
export function* withoutProgress(steps) {
  let step = steps.next();
  while (!step.done) {
    yield {};
    step = steps.next();
  }
  return step.value;
}
export function runToEnd(steps) {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}
