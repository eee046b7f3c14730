import type { SetupState } from "@mulkko/shared/rest/setup";
import { useEffect, useState } from "react";
import { useRest } from "../../rest/hooks.ts";
import { fetchSetup } from "../../rest/setup.ts";

const READY: SetupState = { needed: false };

/** Load the state that selects the login page's form: a farm without an administrator, or a demo. */
export function useSetup(): SetupState & { done: () => void } {
  const { client } = useRest();
  const [state, setState] = useState(READY);
  useEffect(() => {
    const abort = new AbortController();
    // If the state is unknown, show the login, which reports the failure on the first attempt.
    fetchSetup(client, abort.signal).then(setState, () => setState(READY));
    return () => abort.abort();
  }, [client]);
  return { ...state, done: () => setState(READY) };
}
