import { Flex } from "@chakra-ui/react";
import type { FleetAccountValue } from "@mulkko/shared/live/fleet";
import { useTranslation } from "react-i18next";
import { AlarmBadge } from "../../components/alarm-badge.tsx";
import { accountState } from "../../domain/fleet/device-state.ts";
import type { FleetStore } from "../../domain/fleet/fleet-store.ts";
import { useFleetSelection } from "../../domain/fleet/hooks.ts";
import { accountsByTrouble, fleetTellsOwners } from "../../domain/fleet/morning.ts";
import { StateMark } from "../../domain/fleet/StateMark.tsx";
import { useLinkQuality } from "../../live/hooks.ts";
import { MorningCard, MorningLine } from "./MorningCard.tsx";

const ACCOUNTS = ["account", "device"] as const;
/** Number of accounts shown; the board has all of them. */
const LINES = 12;

const accountsIn = (store: FleetStore) =>
  accountsByTrouble(store.all("account").values(), store.all("device"));
const same = (a: readonly FleetAccountValue[], b: readonly FleetAccountValue[]): boolean =>
  a.length === b.length && a.every((account, index) => account === b[index]);

/** List accounts with their worst state, worst first. */
export function AccountsCard() {
  const { t } = useTranslation("morning");
  const accounts = useFleetSelection(ACCOUNTS, accountsIn, same);
  const tellsOwners = useFleetSelection(ACCOUNTS, fleetTellsOwners);
  const rest = accounts.length - LINES;
  return (
    <MorningCard
      title={t("accounts.title")}
      count={accounts.length}
      none={t(tellsOwners ? "accounts.none" : "accounts.untold")}
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
  const { id, username, devices, late, lost = 0, offline, unknown, never = 0, alarms, worstAlarm } = account;
  const state = accountState(account, useLinkQuality());
  const counts = [
    offline > 0 ? `${t("fleet:state.offline")} ${offline}` : null,
    lost > 0 ? `${t("fleet:state.lost")} ${lost}` : null,
    late > 0 ? `${t("fleet:state.late")} ${late}` : null,
    unknown > 0 ? `${t("fleet:state.unknown")} ${unknown}` : null,
    never > 0 ? `${t("fleet:state.never")} ${never}` : null,
  ].filter((part) => part !== null);
  const well = state === "fresh" ? t("accounts.well") : "";
  return (
    <MorningLine
      to={`/adminpage/status?account=${encodeURIComponent(id)}`}
      mark={<StateMark state={state} />}
      name={username ?? `${id}`}
      about={counts.length > 0 ? counts.join(" · ") : well}
    >
      {alarms !== null && alarms > 0 && worstAlarm !== null && (
        <Flex
          as="span"
          align="center"
          gap="1"
          css={{ "& .alarm-badge": { boxSize: "1.125rem" } }}
          data-testid="alarm-count"
        >
          <AlarmBadge priority={worstAlarm} /> {t("accounts.alarms", { count: alarms })}
        </Flex>
      )}
      <span>{t("devices", { count: devices })}</span>
    </MorningLine>
  );
}
