// The model of an explorer on a page, without a kernel.

/** A value as text in which the order of names does not count. */
function canonical(/** @type {unknown} */ value) {
  /** @type {(_: string, part: unknown) => unknown} */
  const sorted = (_, part) =>
    part instanceof Object && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort())
      : part;
  return JSON.stringify(value, sorted);
}

/** @type {(a: unknown, b: unknown) => boolean} */
export const same = (a, b) => canonical(a) === canonical(b);

/** A model without a kernel. Links contain the `state`, but not the `fixed` values.
 * @type {(state: State, fixed: State, save: () => void) => Place["model"]} */
export function modelOf(state, fixed, save) {
  const listeners = /** @type {Record<string, Set<() => void>>} */ ({});
  const listenersOf = (/** @type {string} */ event) => (listeners[event] ??= new Set());
  return {
    get: (name) => (name in fixed ? fixed[name] : state[name]),
    set(/** @type {State} */ changes) {
      const changed = Object.keys(changes).filter((trait) => !same(changes[trait], state[trait]));
      Object.assign(state, changes);
      const called = changed.flatMap((trait) => [...listenersOf(`change:${trait}`)]);
      new Set(called).forEach((listener) => listener());
    },
    save_changes: save,
    on: (events, listener) =>
      events.split(" ").forEach((event) => listenersOf(event).add(listener)),
    off: (events, listener) =>
      events.split(" ").forEach((event) => listenersOf(event).delete(listener)),
  };
}
