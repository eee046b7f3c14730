import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { FLEET_STATES, type FleetState } from "../../domain/fleet/device-state.ts";
import type { FleetStore } from "../../domain/fleet/fleet-store.ts";
import { useFleetSelection } from "../../domain/fleet/hooks.ts";
import { tallyOf } from "../../domain/fleet/morning.ts";
import { StateMark } from "../../domain/fleet/StateMark.tsx";
import { useLoadingWords } from "../../domain/fleet/use-loading-words.ts";
import { useShownQuality } from "../../live/hooks.ts";

const DEVICES = ["device"] as const;
/** Always shown; the other two states only if devices have them. */
const ALWAYS: readonly FleetState[] = ["fresh", "late", "offline"];
const ORDER: readonly FleetState[] = ["fresh", "late", "lost", "offline", "unknown", "never"];

const same = (a: ReturnType<typeof tallyOf>, b: ReturnType<typeof tallyOf>): boolean =>
  FLEET_STATES.every((state) => a[state] === b[state]);

/**
 * Show the numbers of online, late and offline devices over all accounts, no better than the links allow
 * (ONL-2).
 */
export function StateTiles() {
  const { t } = useTranslation(["morning", "fleet"]);
  // The best quality that the links allow for a device.
  const link = useShownQuality("fresh") ?? "unknown";
  const tallyIn = useCallback((store: FleetStore) => tallyOf(store.all("device"), link), [link]);
  const tally = useFleetSelection(DEVICES, tallyIn, same);
  const loading = useLoadingWords();
  return (
    <ul
      className="state-tiles"
      aria-label={loading === null ? t("tally") : `${t("tally")}. ${loading}`}
      data-loading={loading === null ? undefined : true}
    >
      {ORDER.filter((state) => ALWAYS.includes(state) || tally[state] > 0).map((state) => (
        <li key={state}>
          <Link
            className="state-tile"
            data-state={tally[state] > 0 ? state : "none"}
            // The board cannot filter by states that come from the links alone.
            to={link === "fresh" ? `/adminpage/status?state=${state}` : "/adminpage/status"}
          >
            <span className="state-tile__label">
              <StateMark state={state} bare />
              {t(`fleet:state.${state}`)}
            </span>
            <span className="state-tile__count" data-testid="state-count">
              {tally[state]}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
