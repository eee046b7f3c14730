import type { SetupState } from "@mulkko/shared/rest/setup";
import { useEffect, useState } from "react";
import { useRest } from "../../rest/hooks.ts";
import { fetchSetup } from "../../rest/setup.ts";

const READY: SetupState = { needed: false };

/** Fetch what the login page depends on: a farm that waits for its first administrator, or a demo. */
export function useSetup(): SetupState & { done: () => void } {
  const { client } = useRest();
  const [state, setState] = useState(READY);
  useEffect(() => {
    const abort = new AbortController();
    // Where nobody can tell, the login stands, and says what is wrong as soon as somebody tries it.
    fetchSetup(client, abort.signal).then(setState, () => setState(READY));
    return () => abort.abort();
  }, [client]);
  return { ...state, done: () => setState(READY) };
}
