// Run jobs, which are generators that yield their progress.

/** Run a job without reporting its progress, in steps at which it can be stopped. */
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
