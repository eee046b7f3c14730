/** Between two attempts to fetch a part of the client, ms, unless the browser has a network again before. */
export const AGAIN_AFTER_MS = 3_000;

/** Stylesheets that could not be fetched. */
const failed = new Set<HTMLLinkElement>();
let fetching: Promise<void> | null = null;

/**
 * Remember each stylesheet that cannot be fetched. The build's own loader asks for one only once in the life of a
 * page: the next visit would come without it.
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

/** Fetch every stylesheet that could not be fetched before. Rejects while one of them still cannot. */
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

/** Wait until another attempt may do: for {@link AGAIN_AFTER_MS}, or until the browser has a network again. */
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
 * Fetch a part of a page, as often as it takes: React keeps the failure of a lazy part for the life of the page.
 *
 * @param load for `lazy`, also where the link is bad
 */
export async function retried<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    try {
      const part = await load();
      await missingStyles();
      return part;
    } catch {
      // What stands in its place says that it is on its way, and the frame that the link is lost.
      await nextAttempt();
    }
  }
}
