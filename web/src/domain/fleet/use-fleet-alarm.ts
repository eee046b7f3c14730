import type { FleetAlarmValue } from "@mulkko/shared/live/fleet";
import { fleetAccountKey } from "@mulkko/shared/live/fleet-keys";
import { useTranslation } from "react-i18next";
import { shallow } from "zustand/shallow";
import { useLabels } from "../../i18n/labels.ts";
import { useAge } from "../../live/hooks.ts";
import { beganAt } from "../alarm/present-alarms.ts";
import { useFleetSelection } from "./hooks.ts";

const ACCOUNTS = ["account"] as const;

/** Name and telephone of an account's user. */
export interface Owner {
  /** The user's name; the account's where it is unknown. */
  readonly name: string;
  readonly phone: string | null;
}

/** Return the user of an account, and follow it. @param username name of the account, where it is known */
export function useOwner(account: string | number, username: string | null): Owner {
  return useFleetSelection(
    ACCOUNTS,
    (store) => {
      const { nickname, phone, username: own } = store.get("account", fleetAccountKey(account)) ?? {};
      return {
        name: nickname?.trim() || username || own || `${account}`,
        phone: phone?.trim() || null,
      };
    },
    shallow,
  );
}

/** Return what a line about an alarm of any account shows. */
export function useFleetAlarm(alarm: FleetAlarmValue) {
  const labels = useLabels();
  const { t } = useTranslation("common");
  const { name, number } = alarm;
  const owner = useOwner(alarm.account, alarm.username);
  const began = beganAt(alarm);
  const ageMs = useAge(began) ?? 0;
  const account = alarm.username ?? `${alarm.account}`;
  return {
    /** Farm with its account, or the account alone. */
    where: alarm.farm === null ? account : `${alarm.farm.name} (${account})`,
    account,
    /** Stored name of the device or channel; the whole account for an alarm without one. */
    subject:
      name === undefined
        ? t("alarm.wholeAccount")
        : labels.thing(number === undefined ? { name } : { name, number }),
    type: labels.alarmType(alarm.type),
    owner,
    /** Start of the alarm's age, ms UTC. */
    since: Date.parse(began),
    ageMs,
  };
}
