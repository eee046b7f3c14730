import { useRef } from "react";
import { useDeviceTally } from "../../domain/farm/use-links.ts";
import { useLink, useServerTime } from "../../live/hooks.ts";
import { sameVerdict, type Verdict, verdict } from "./verdict.ts";

/** Return the verdict on the screen's freshness and follow its changes. */
export function useVerdict(): Verdict {
  const screen = useLink((link) => link.screen.state);
  const silentSince = useLink((link) => link.silentSince);
  const relay = useLink((link) => link.relay);
  const withheld = useLink((link) => link.withheld);
  const devices = useDeviceTally();
  const facts = { screen, silentSince, relay, withheld, devices };
  const last = useRef<Verdict>({ kind: "live" });
  // Time alone changes one thing: stale values become too old.
  const dim = useServerTime((now) => {
    const current = verdict({ ...facts, now });
    return current.kind === "stale" && current.dim;
  });
  const current = verdict({ ...facts, now: 0 });
  const next: Verdict = current.kind === "live" ? current : { ...current, dim };
  if (!sameVerdict(last.current, next)) last.current = next;
  return last.current;
}
