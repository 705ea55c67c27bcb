// Run jobs, which are generators that yield their progress.

/** A job whose steps are not shown: it breathes, and is stopped after its table. */
export function* quietly(steps) {
  let step = steps.next();
  while (!step.done) {
    yield {};
    step = steps.next();
  }
  return step.value;
}
/** Run a job to its end at once. */
export function runNow(steps) {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}
