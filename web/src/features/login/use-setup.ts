import { useEffect, useState } from "react";
import { useRest } from "../../rest/hooks.ts";
import { isSetupNeeded } from "../../rest/setup.ts";

/** Whether the farm waits for its first administrator; false until that is known, as nearly no farm does. */
export function useSetup(): { needed: boolean; done: () => void } {
  const { client } = useRest();
  const [needed, setNeeded] = useState(false);
  useEffect(() => {
    const abort = new AbortController();
    // Where nobody can tell, the login stands, and says what is wrong as soon as somebody tries it.
    isSetupNeeded(client, abort.signal).then(setNeeded, () => setNeeded(false));
    return () => abort.abort();
  }, [client]);
  return { needed, done: () => setNeeded(false) };
}
