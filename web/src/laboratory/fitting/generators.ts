// Take the steps of a computation, which is a generator that yields its progress.

/** Take steps without reporting progress. */
export function* withoutProgress<R>(steps: Generator<unknown, R>) {
  let step = steps.next();
  while (!step.done) {
    yield {};
    step = steps.next();
  }
  return step.value;
}
export function runToEnd<R>(steps: Generator<unknown, R>) {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}
