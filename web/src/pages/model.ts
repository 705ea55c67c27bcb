// The model of an explorer on a page, without a kernel.

import type { Model, Traits } from "../ui/state.ts";

/** A value as text in which the order of names does not count. */
function canonical(value: unknown) {
  const sorted = (_: string, part: unknown): unknown =>
    part instanceof Object && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort())
      : part;
  return JSON.stringify(value, sorted);
}

export const same = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b);

/** A model without a kernel. Links contain the `state`, but not the `fixed` values. */
export function modelOf(state: Traits, fixed: Traits, save: () => void): Model {
  const listeners: Record<string, Set<() => void>> = {};
  const listenersOf = (event: string) => (listeners[event] ??= new Set());
  return {
    get: <Value>(name: string) => (name in fixed ? fixed : state)[name] as Value,
    set(changes: Traits) {
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
