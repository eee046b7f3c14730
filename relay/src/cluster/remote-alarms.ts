import { AccountSettings } from "@mulkko/shared/rest/settings";
import type { AlarmService } from "../alarms/alarm-service.ts";
import type { SettingsService } from "../settings/settings-service.ts";
import { ANSWER_WITHIN_MS } from "../valves/answers.ts";
import type { Calls } from "./calls.ts";
import { AlarmReply, AlarmsReply, type Call, SettingsReply } from "./messages.ts";

/** Create the alarms of an account that another node owns. */
export function createRemoteAlarms(accountId: string, calls: Calls): AlarmService {
  const list = (which: "present" | "past") =>
    calls.ask(accountId, { do: "alarms", which }, AlarmsReply, ANSWER_WITHIN_MS);
  const answer = (call: Call) => calls.ask(accountId, call, AlarmReply, ANSWER_WITHIN_MS);
  return {
    present: () => list("present"),
    past: () => list("past"),
    acknowledge: (id, by, comment) => answer({ do: "acknowledge", id, by, comment }),
    snooze: (id, by, until, reason) => answer({ do: "snooze", id, by, until, reason }),
    unsnooze: (id, by) => answer({ do: "unsnooze", id, by }),
    closeIn: (id, by, minutes) => answer({ do: "close-in", id, by, minutes }),
  };
}

/** Create the settings of an account that another node owns. */
export function createRemoteSettings(accountId: string, calls: Calls): SettingsService {
  return {
    get: () => calls.ask(accountId, { do: "read-settings" }, AccountSettings, ANSWER_WITHIN_MS),
    change: (change) =>
      calls.ask(accountId, { do: "change-settings", change }, SettingsReply, ANSWER_WITHIN_MS),
  };
}
