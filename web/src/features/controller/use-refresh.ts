import { useEffect, useRef, useState } from "react";
import type { ValveBox } from "../../farm/valve-boxes.ts";
import { refreshChannel } from "../../rest/controllers.ts";
import { errorReason } from "../../rest/error-reason.ts";
import { useRest } from "../../rest/hooks.ts";

/** How long a controller that is asked may take until the page says that it has not answered, ms. */
export const REFRESH_MS = 10_000;

export type Refresh =
  | { readonly state: "idle" }
  /** Until it is heard. */
  | { readonly state: "asking" }
  | { readonly state: "silent" }
  | { readonly state: "failed"; readonly reason: string };

/** Asks a controller what it reports, once; the answer is what the live stream brings. */
export function useRefresh(
  box: ValveBox,
  channel: { readonly id: string; readonly number: number } | undefined,
): { readonly refresh: Refresh; ask(): void } {
  const { client } = useRest();
  const [refresh, setRefresh] = useState<Refresh>({ state: "idle" });
  const { heardAt } = box;
  const [heard, setHeard] = useState(heardAt);
  if (heard !== heardAt) {
    setHeard(heardAt);
    setRefresh({ state: "idle" });
  }
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const ask = (): void => {
    if (!channel || refresh.state === "asking") return;
    setRefresh({ state: "asking" });
    clearTimeout(timer.current);
    const only = (from: Refresh["state"], to: Refresh) =>
      setRefresh((now) => (now.state === from ? to : now));
    timer.current = setTimeout(() => only("asking", { state: "silent" }), REFRESH_MS);
    // A COT sensor has no channel ids: the number stands in their place.
    refreshChannel(client, box.serial, box.form === "controller" ? channel.id : channel.number).catch(
      (error: unknown) => only("asking", { state: "failed", reason: errorReason(error) }),
    );
  };
  return { refresh, ask };
}
