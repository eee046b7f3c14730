import type { Display } from "@mulkko/shared/rest/displays";
import { fetchDisplays } from "../../api/displays.ts";
import { errorCode } from "../../api/errors.ts";
import { useRestQuery } from "../../api/queries.tsx";

/** Polling interval of the displays' connection state while the page is visible, ms. */
const EVERY_MS = 10_000;

export type LoadedDisplays =
  | { readonly state: "loading" }
  | { readonly state: "there"; readonly displays: readonly Display[] }
  | { readonly state: "failed"; readonly code: string };

/** Load the paired displays, again while the page is visible. A failure keeps the shown list. */
export function useDisplays(): { loaded: LoadedDisplays; again: () => void } {
  const { data, error, refetch } = useRestQuery(["displays"], fetchDisplays, {
    refetchInterval: EVERY_MS,
    refetchIntervalInBackground: false,
  });
  const again = () => void refetch();
  if (data !== null) return { loaded: { state: "there", displays: data }, again };
  return {
    loaded: error === null ? { state: "loading" } : { state: "failed", code: errorCode(error) },
    again,
  };
}
