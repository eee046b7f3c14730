import type { FleetAccountValue } from "@mulkko/shared/live/fleet";
import { Link } from "react-router-dom";
import { stateOf } from "../../fleet/device-state.ts";
import type { FleetStore } from "../../fleet/fleet-store.ts";
import { useFleetSelection } from "../../fleet/hooks.ts";
import { accountsByTrouble } from "../../fleet/morning.ts";
import { StateMark } from "../../fleet/StateMark.tsx";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useShownQuality } from "../../live/hooks.ts";
import { AlarmBadge } from "../../ui/feedback/alarm-badge.tsx";
import { MorningCard } from "./MorningCard.tsx";

const ACCOUNTS = ["account", "device"] as const;
/** Accounts that are shown; the board has all of them. */
const LINES = 12;

const accountsIn = (store: FleetStore) =>
  accountsByTrouble(store.all("account").values(), store.all("device"));
const same = (a: readonly FleetAccountValue[], b: readonly FleetAccountValue[]): boolean =>
  a.length === b.length && a.every((account, index) => account === b[index]);

/** Accounts with their worst state, the worst first. */
export function AccountsCard() {
  const { t } = useTranslation("morning");
  const accounts = useFleetSelection(ACCOUNTS, accountsIn, same);
  const rest = accounts.length - LINES;
  return (
    <MorningCard
      title={t("accounts.title")}
      count={accounts.length}
      none={t("accounts.none")}
      empty={accounts.length === 0}
      rest={rest > 0 ? t("accounts.rest", { count: rest }) : null}
      all={rest > 0 ? { to: "/adminpage/status", label: t("accounts.all") } : undefined}
    >
      {accounts.slice(0, LINES).map((account) => (
        <AccountLine key={account.id} account={account} />
      ))}
    </MorningCard>
  );
}

function AccountLine({ account }: { account: FleetAccountValue }) {
  const { t } = useTranslation(["morning", "fleet"]);
  const { id, username, devices, late, offline, unknown, never = 0, alarms, worstAlarm } = account;
  const quality = useShownQuality(account.quality);
  const counts = [
    offline > 0 ? `${t("fleet:state.offline")} ${offline}` : null,
    late > 0 ? `${t("fleet:state.late")} ${late}` : null,
    unknown > 0 ? `${t("fleet:state.unknown")} ${unknown}` : null,
    never > 0 ? `${t("fleet:state.never")} ${never}` : null,
  ].filter((part) => part !== null);
  const well = quality === "fresh" ? t("accounts.well") : "";
  return (
    <li>
      <Link className="morning-line" to={`/adminpage/status?account=${encodeURIComponent(id)}`}>
        <StateMark state={stateOf(quality)} />
        <span className="morning-line__text">
          <span className="morning-line__name">{username ?? `${id}`}</span>
          <span className="morning-line__about">{counts.length > 0 ? counts.join(" · ") : well}</span>
        </span>
        <span className="morning-line__end">
          {alarms !== null && alarms > 0 && worstAlarm !== null && (
            <span className="morning-line__alarms">
              <AlarmBadge priority={worstAlarm} /> {t("accounts.alarms", { count: alarms })}
            </span>
          )}
          <span>{t("devices", { count: devices })}</span>
        </span>
      </Link>
    </li>
  );
}
