import { AccountSettings } from "@mulkko/shared/rest/settings";
import type { AlarmService } from "../alarms/alarm-service.ts";
import type { SettingsService } from "../settings/settings-service.ts";
import { ANSWER_WITHIN_MS } from "../valves/answers.ts";
import type { CloseAllRequest, CommandRequest, CommandService } from "../valves/commands.ts";
import {
  AlarmReply,
  AlarmsReply,
  type Call,
  CloseAllReply,
  CommandReply,
  CommandsReply,
  SettingsReply,
  WateringsReply,
} from "./messages.ts";
import type { Peers } from "./peers.ts";

/** ms of an answer's time reserved for the network between the nodes. */
const WAY_MS = 500;

/** Create the valve service of an account that another node owns. */
export function createRemoteService(accountId: string, peers: Peers): CommandService {
  /** Return the encrypted token, and the time left for the owner. */
  const carried = (request: CommandRequest | CloseAllRequest) => {
    const within = request.answerWithinMs ?? ANSWER_WITHIN_MS;
    return { token: peers.encrypt(request.token), answerWithinMs: Math.max(WAY_MS, within - WAY_MS) };
  };
  const within = (request: CommandRequest | CloseAllRequest): number =>
    request.answerWithinMs ?? ANSWER_WITHIN_MS;

  return {
    command: (request) =>
      peers.ask(
        accountId,
        { do: "command", ...withoutUndefined(request), ...carried(request) },
        CommandReply,
        within(request),
      ),
    withdraw: (opening) =>
      peers.ask(
        accountId,
        { do: "withdraw", ...withoutUndefined(opening), ...carried(opening) },
        CommandReply,
        within(opening),
      ),
    closeAll: (request) =>
      peers.ask(
        accountId,
        { do: "close-all", ...request, ...carried(request) },
        CloseAllReply,
        within(request),
      ),
    commands: ({ to, ...query }) =>
      peers.ask(
        accountId,
        { do: "commands", ...query, ...(Number.isFinite(to) ? { to } : {}) },
        CommandsReply,
        ANSWER_WITHIN_MS,
      ),
    async waterings(since) {
      const call = { do: "waterings", since, watchedSince: true } as const;
      const reply = await peers.ask(accountId, call, WateringsReply, ANSWER_WITHIN_MS);
      return Array.isArray(reply) ? { waterings: reply, watchedSince: null } : reply;
    },
  };
}

function withoutUndefined({ maxRunSeconds, ...request }: CommandRequest) {
  return maxRunSeconds === undefined ? request : { ...request, maxRunSeconds };
}

/** Create the alarms of an account that another node owns. */
export function createRemoteAlarms(accountId: string, peers: Peers): AlarmService {
  const list = (which: "present" | "past") =>
    peers.ask(accountId, { do: "alarms", which }, AlarmsReply, ANSWER_WITHIN_MS);
  const answer = (call: Call) => peers.ask(accountId, call, AlarmReply, ANSWER_WITHIN_MS);
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
export function createRemoteSettings(accountId: string, peers: Peers): SettingsService {
  return {
    get: () => peers.ask(accountId, { do: "read-settings" }, AccountSettings, ANSWER_WITHIN_MS),
    change: (change) =>
      peers.ask(accountId, { do: "change-settings", change }, SettingsReply, ANSWER_WITHIN_MS),
  };
}
