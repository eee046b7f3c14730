import { useEffect, useRef, useState } from "react";
import { refreshChannel } from "../../api/controllers.ts";
import { errorReason } from "../../api/errors.ts";
import { useRest } from "../../api/hooks.ts";
import type { ValveUnit } from "../../domain/valve/valve-units.ts";

/** Milliseconds until the page says that a queried controller has not answered. */
export const REFRESH_MS = 10_000;

export type Refresh =
  | { readonly state: "idle" }
  /** Until it reports. */
  | { readonly state: "asking" }
  | { readonly state: "silent" }
  | { readonly state: "failed"; readonly reason: string };

/** Query a controller once; the live stream delivers the answer. */
export function useRefresh(
  unit: ValveUnit,
  channel: { readonly id: string; readonly number: number } | undefined,
): { readonly refresh: Refresh; ask(): void } {
  const { client } = useRest();
  const [refresh, setRefresh] = useState<Refresh>({ state: "idle" });
  const { heardAt } = unit;
  const [lastReport, setLastReport] = useState(heardAt);
  if (lastReport !== heardAt) {
    setLastReport(heardAt);
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
    // A COT sensor has no channel ids: the number takes their place.
    refreshChannel(client, unit.serial, unit.form === "controller" ? channel.id : channel.number).catch(
      (error: unknown) => only("asking", { state: "failed", reason: errorReason(error) }),
    );
  };
  return { refresh, ask };
}
