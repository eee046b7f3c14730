import { type ComponentType, lazy, useEffect, useState } from "react";

/** Delay between two attempts to load a part of the client, ms. A returning network ends it early. */
export const AGAIN_AFTER_MS = 3_000;

/** Stylesheets that failed to load. */
const failed = new Set<HTMLLinkElement>();
let fetching: Promise<void> | null = null;

/**
 * Remember each stylesheet that fails to load. The build's loader requests one only once per page life: the
 * next visit would lack it.
 */
export function watchStyles(): void {
  const remember = ({ target }: Event) => {
    if (target instanceof HTMLLinkElement && target.rel === "stylesheet") failed.add(target);
  };
  // The event does not bubble.
  document.addEventListener("error", remember, { capture: true });
}

const fetchAgain = (link: HTMLLinkElement): Promise<void> =>
  new Promise((resolve, reject) => {
    const fresh = document.createElement("link");
    fresh.rel = link.rel;
    fresh.crossOrigin = link.crossOrigin;
    fresh.href = link.href;
    fresh.onload = () => resolve();
    fresh.onerror = () => reject(new Error(`no stylesheet ${link.href}`));
    failed.delete(link);
    link.replaceWith(fresh);
  });

/** Load every stylesheet that failed before. Rejects while one still fails. */
export function missingStyles(): Promise<void> {
  fetching ??= Promise.all([...failed].map(fetchAgain)).then(
    () => {
      fetching = null;
    },
    (error: unknown) => {
      fetching = null;
      throw error;
    },
  );
  return fetching;
}

/** Wait for {@link AGAIN_AFTER_MS}, or until the browser has a network again. */
export function nextAttempt(stop?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener("online", end);
      stop?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, AGAIN_AFTER_MS);
    window.addEventListener("online", end);
    stop?.addEventListener("abort", end);
  });
}

/**
 * Load a part of a page and retry until it succeeds. React keeps the failure of a lazy part for the life of
 * the page.
 *
 * @param load for `lazy`, also on a bad link
 */
export async function retried<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    try {
      const part = await load();
      await missingStyles();
      return part;
    } catch {
      // The fallback shows the loading state, and the frame shows the lost link.
      await nextAttempt();
    }
  }
}

/** Create a component that loads when it is first shown, and retries until it is there. */
export const lazyPart = <Props>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await retried(load) }));

/** State of a lazily loaded value. */
type Loaded<T> = { state: "loading" } | { state: "there"; value: T } | { state: "failed" };

/**
 * Load code when the component mounts, and retry after each failure while it is mounted.
 *
 * @param load must be a stable function
 */
export function useLoaded<T>(load: () => Promise<T>): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: "loading" });
  useEffect(() => {
    const stop = new AbortController();
    const bring = async () => {
      while (!stop.signal.aborted) {
        try {
          const value = await load();
          await missingStyles();
          if (!stop.signal.aborted) setLoaded({ state: "there", value });
          return;
        } catch {
          if (!stop.signal.aborted) setLoaded({ state: "failed" });
          await nextAttempt(stop.signal);
        }
      }
    };
    void bring();
    return () => stop.abort();
  }, [load]);
  return loaded;
}
