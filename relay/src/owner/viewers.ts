/** Who looks at an account, and at which of its keys. */
export interface Viewers {
  add(): { track(keys: ReadonlySet<string> | undefined): void; remove(): void };
  readonly count: number;
  /** True if some viewer tracks the key, or everything. */
  watches(key: string): boolean;
}

/** @param onChanged called when other keys are looked at than before */
export function createViewers(onChanged: () => void): Viewers {
  const all = new Set<{ keys: ReadonlySet<string> | undefined }>();
  let everything = 0;

  /** Beside somebody who looks at everything, nobody makes a difference. */
  const change = (apply: () => void): void => {
    const before = everything;
    apply();
    everything = 0;
    for (const viewer of all) if (viewer.keys === undefined) everything += 1;
    if (before === 0 || everything === 0) onChanged();
  };
  return {
    add() {
      const viewer: { keys: ReadonlySet<string> | undefined } = { keys: undefined };
      change(() => all.add(viewer));
      return {
        track: (keys) =>
          change(() => {
            viewer.keys = keys;
          }),
        remove: () => change(() => all.delete(viewer)),
      };
    },
    get count() {
      return all.size;
    },
    watches(key) {
      if (everything > 0) return true;
      for (const viewer of all) if (viewer.keys?.has(key)) return true;
      return false;
    },
  };
}
