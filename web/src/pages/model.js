// The model of an explorer on a page, without a kernel.

/** A value as text in which the order of names does not count. */
function canonical(value) {
  const isNamed = (part) => part !== null && typeof part === "object" && !Array.isArray(part);
  const sorted = (_, part) =>
    isNamed(part) ? Object.fromEntries(Object.entries(part).sort()) : part;
  return JSON.stringify(value, sorted);
}

export const same = (a, b) => canonical(a) === canonical(b);

/** A model without a kernel. Links contain the `state`, but not the `fixed` values. */
export function modelOf(state, fixed, save) {
  const listeners = new Map();
  const listenersOf = (event) => listeners.get(event) ?? listeners.set(event, new Set()).get(event);
  return {
    get: (name) => (name in fixed ? fixed[name] : state[name]),
    set(name, value) {
      const changes = typeof name === "string" ? { [name]: value } : name;
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
