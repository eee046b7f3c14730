import { useCallback, useEffect, useRef } from "react";
import { BUILD } from "../../app/build.ts";
import { useLink } from "../../live/hooks.ts";
import { reloader } from "./page-reloader.ts";

/** What is asked at each turn: true if a newer client is served and the page goes for it (HS-4). */
export function useNewBuild(): () => boolean {
  const served = useLink((link) => link.servedBuild);
  const latest = useRef(served);
  useEffect(() => {
    latest.current = served;
  }, [served]);
  return useCallback(() => reloader.intoNewer(BUILD, latest.current), []);
}
