import type { LinkMonitor, LinkState } from "../src/upstream/link-monitor.ts";

/** A link whose state the test sets. */
export interface FakeLink extends LinkMonitor {
  become(change: Partial<LinkState>): void;
}

export function createFakeLink(since = Date.UTC(2026, 10, 21, 3, 0, 0)): FakeLink {
  let state: LinkState = {
    upstream: "up",
    mqtt: "up",
    store: "embedded",
    since,
    heardAt: since,
    suspectedOffset: null,
    notStoring: null,
    storingKnown: true,
  };
  const listeners = new Set<(state: LinkState) => void>();
  return {
    get state() {
      return state;
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    become(change) {
      state = { ...state, ...change };
      for (const listener of listeners) listener(state);
    },
  };
}
