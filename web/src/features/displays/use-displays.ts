import type { Display } from "@mulkko/shared/rest/displays";
import { useCallback, useEffect, useState } from "react";
import { fetchDisplays } from "../../rest/displays.ts";
import { errorCode } from "../../rest/errors.ts";
import { useRest } from "../../rest/hooks.ts";

/** ms between two looks whether a screen is connected, while the page can be seen. */
const EVERY_MS = 10_000;

export type LoadedDisplays =
  | { readonly state: "loading" }
  | { readonly state: "there"; readonly displays: readonly Display[] }
  | { readonly state: "failed"; readonly code: string };

/** The screens that are paired, asked for again while somebody looks; what is shown stays where that fails. */
export function useDisplays(): { loaded: LoadedDisplays; again: () => void } {
  const { client } = useRest();
  const [loaded, setLoaded] = useState<LoadedDisplays>({ state: "loading" });
  const [asked, setAsked] = useState(0);
  const again = useCallback(() => setAsked((count) => count + 1), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again when somebody asks
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
