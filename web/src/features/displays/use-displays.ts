import type { Display } from "@mulkko/shared/rest/displays";
import { useCallback, useEffect, useState } from "react";
import { fetchDisplays } from "../../rest/displays.ts";
import { errorCode } from "../../rest/errors.ts";
import { useRest } from "../../rest/hooks.ts";

/** Polling interval of the displays' connection state while the page is visible, ms. */
const EVERY_MS = 10_000;

export type LoadedDisplays =
  | { readonly state: "loading" }
  | { readonly state: "there"; readonly displays: readonly Display[] }
  | { readonly state: "failed"; readonly code: string };

/** Load the paired displays, again while the page is visible. A failure keeps the shown list. */
export function useDisplays(): { loaded: LoadedDisplays; again: () => void } {
  const { client } = useRest();
  const [loaded, setLoaded] = useState<LoadedDisplays>({ state: "loading" });
  const [asked, setAsked] = useState(0);
  const again = useCallback(() => setAsked((count) => count + 1), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `asked` loads again
  useEffect(() => {
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (): Promise<void> => {
      if (!document.hidden) {
        try {
          const displays = await fetchDisplays(client, abort.signal);
          if (!abort.signal.aborted) setLoaded({ state: "there", displays });
        } catch (error) {
          if (abort.signal.aborted) return;
          const code = errorCode(error);
          setLoaded((now) => (now.state === "there" ? now : { state: "failed", code }));
        }
      }
      if (!abort.signal.aborted) timer = setTimeout(() => void ask(), EVERY_MS);
    };
    void ask();
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [client, asked]);

  return { loaded, again };
}
