import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { FLEET_STATES, type FleetState } from "../../domain/fleet/device-state.ts";
import type { FleetStore } from "../../domain/fleet/fleet-store.ts";
import { useFleetSelection } from "../../domain/fleet/hooks.ts";
import { tallyOf } from "../../domain/fleet/morning.ts";
import { StateShape } from "../../domain/fleet/StateMark.tsx";
import { useShownQuality } from "../../live/hooks.ts";

const DEVICES = ["device"] as const;
/** Always shown; the other states only if present. */
const ALWAYS: readonly FleetState[] = ["offline", "late", "fresh"];

const same = (a: ReturnType<typeof tallyOf>, b: ReturnType<typeof tallyOf>): boolean =>
  FLEET_STATES.every((state) => a[state] === b[state]);

/** Count all accounts' devices by state in one line; no better than the links allow (ONL-2). */
export function FleetCounts() {
  const { t } = useTranslation("common");
  // State of a healthy device as limited by the links.
  const link = useShownQuality("fresh") ?? "unknown";
  const tally = useFleetSelection(
    DEVICES,
    useCallback((store: FleetStore) => tallyOf(store.all("device"), link), [link]),
    same,
  );
  return (
    <dl className="wall-fleet__counts">
      {FLEET_STATES.filter((state) => ALWAYS.includes(state) || tally[state] > 0).map((state) => (
        <div key={state} data-state={tally[state] > 0 ? state : "none"}>
          <dt>
            <StateShape state={state} />
            {t(`quality.${state}`)}
          </dt>
          <dd>{tally[state]}</dd>
        </div>
      ))}
    </dl>
  );
}
