/** Who looks at an account, and at which of its keys. */
export interface Viewers {
  add(): { track(keys: ReadonlySet<string> | undefined): void; remove(): void };
  readonly count: number;
  /** True if some viewer tracks the key, or everything. */
  watches(key: string): boolean;
}

/** @param onChanged called when more or less is looked at than before */
export function createViewers(onChanged: () => void): Viewers {
  const all = new Set<{ keys: ReadonlySet<string> | undefined }>();
  return {
    add() {
      const viewer: { keys: ReadonlySet<string> | undefined } = { keys: undefined };
      all.add(viewer);
      onChanged();
      return {
        track(keys) {
          viewer.keys = keys;
          onChanged();
        },
        remove() {
          if (all.delete(viewer)) onChanged();
        },
      };
    },
    get count() {
      return all.size;
    },
    watches(key) {
      for (const viewer of all) if (viewer.keys?.has(key) ?? true) return true;
      return false;
    },
  };
}
