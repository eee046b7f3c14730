import { useCallback, useEffect, useRef } from "react";
import { useLink, useLiveFarm } from "../../live/hooks.ts";
import { BUILD } from "../../live/stale-build.ts";
import { reloader } from "./page-reloader.ts";
import { isQuiet } from "./quiet.ts";

/** Return a function to call at each page turn: loads a newer client in a quiet moment (HS-4). */
export function useNewBuild(): () => void {
  const served = useLink((link) => link.servedBuild);
  const farm = useLiveFarm();
  const latest = useRef(served);
  useEffect(() => {
    latest.current = served;
  }, [served]);
  return useCallback(() => reloader.intoNewer(BUILD, latest.current, () => isQuiet(farm())), [farm]);
}
