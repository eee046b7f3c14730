import { useRef } from "react";
import { useDeviceTally } from "../../farm/use-links.ts";
import { useLink, useServerTime } from "../../live/hooks.ts";
import { sameVerdict, type Verdict, verdict } from "./verdict.ts";

/** Whether the screen shows the present, followed. */
export function useVerdict(): Verdict {
  const screen = useLink((link) => link.screen.state);
  const silentSince = useLink((link) => link.silentSince);
  const relay = useLink((link) => link.relay);
  const withheld = useLink((link) => link.withheld);
  const devices = useDeviceTally();
  const facts = { screen, silentSince, relay, withheld, devices };
  const last = useRef<Verdict>({ kind: "live" });
  // By itself time changes one thing: what is stale becomes too old.
  const dim = useServerTime((now) => {
    const told = verdict({ ...facts, now });
    return told.kind === "stale" && told.dim;
  });
  const told = verdict({ ...facts, now: 0 });
  const next: Verdict = told.kind === "live" ? told : { ...told, dim };
  if (!sameVerdict(last.current, next)) last.current = next;
  return last.current;
}
