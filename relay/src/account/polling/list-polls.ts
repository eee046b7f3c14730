import { lacksCall } from "@mulkko/shared/rest/final-status";
import type { ChangedKind } from "@mulkko/shared/rest/operations/operation";
import type { Clock } from "@mulkko/shared/rules/clock";
import { sensorKey } from "@mulkko/shared/rules/device-keys";
import type { AccountApi } from "../../access/account-api.ts";
import { NoAccessError, type UpstreamError, UpstreamStatusError } from "../../upstream/errors.ts";
import type { AccountState } from "../account-state.ts";
import type { DeviceIndex } from "../device-index.ts";
import type { NotificationHandler } from "../notification-handler.ts";
import { createEmptyLists, EMPTY_AGAIN_MS } from "./empty-lists.ts";
import { listInterval, type Pace, paceOf, SPREAD_MS } from "./poll-pacing.ts";
import type { PollUnit, PollUnits } from "./poll-units.ts";

/** The polls of an account's lists (POLL-1). */
export interface ListPolls {
  /** Continue the previous owner's intervals (POLL-2). */
  resume(): void;
  /** Poll the lists; rejects with an `UpstreamError` if the sensors cannot be read. */
  load(): Promise<void>;
}

export interface ListPollsDeps {
  readonly state: AccountState;
  readonly api: AccountApi;
  readonly deviceIndex: DeviceIndex;
  readonly notifications: NotificationHandler;
  readonly units: PollUnits;
  readonly pace: () => Pace;
  readonly clock: Clock;
}

const LISTS = ["sensors", "controllers", "farms", "notifications"] as const;
type List = (typeof LISTS)[number];

/** ms after which the sensors are requested again while the relay may not read the account (ALM-8). */
const ACCESS_AGAIN_MS = { watched: 15_000, unwatched: 60_000 } as const;

const LISTS_OF: Readonly<Record<ChangedKind, readonly List[]>> = {
  sensor: ["sensors", "farms"],
  farm: ["farms", "sensors"],
  controller: ["controllers"],
  channel: [],
  notification: ["notifications"],
  account: [],
};

export function pollLists(deps: ListPollsDeps): ListPolls {
  const { state, api, deviceIndex, units } = deps;
  const empty = createEmptyLists(deps.clock);

  const failed = (list: List, error: UpstreamError): void => {
    if (error instanceof NoAccessError) {
      if (list === "sensors") {
        state.emit("accessChanged", false);
        // The access may be back in a moment, and only this list proves it.
        units.due("sensors", deps.pace().watched ? ACCESS_AGAIN_MS.watched : ACCESS_AGAIN_MS.unwatched);
      }
      for (const key of deviceIndex.deviceKeys()) state.emit("deviceUnreadable", key);
    } else if (list === "sensors") {
      for (const id of deviceIndex.sensorIds()) state.emit("devicePollFailed", sensorKey(id));
    }
  };
  const unit = (name: List, row: "list" | "places" | "notifications", ask: PollUnit["ask"]): PollUnit => ({
    name,
    interval: (isUnreported) => listInterval(row, paceOf(deps.pace(), isUnreported)),
    stretches: () => true,
    urgent: () => false,
    ask,
    failed: (error) => failed(name, error),
  });
  const isBelieved = (
    list: List,
    prefix: "sensor:" | "controller:" | "farm:",
    rows: readonly unknown[],
  ): boolean => {
    const believed = empty.isBelieved(list, rows.length, deviceIndex.has(prefix));
    if (!believed) units.due(list, EMPTY_AGAIN_MS);
    return believed;
  };
  const lists: readonly PollUnit[] = [
    unit("sensors", "list", async (asking) => {
      const sensors = await api.sensors(asking);
      if (isBelieved("sensors", "sensor:", sensors)) deviceIndex.sensors(sensors);
      state.emit("accessChanged", true);
      state.emit("sensorsListed", sensors);
    }),
    unit("controllers", "places", async (asking) => {
      const controllers = await api.controllers(asking);
      if (isBelieved("controllers", "controller:", controllers)) deviceIndex.controllers(controllers);
    }),
    unit("farms", "places", async (asking) => {
      const farms = await api.farms(asking);
      if (isBelieved("farms", "farm:", farms)) deviceIndex.farms(farms);
    }),
    unit("notifications", "notifications", async (asking) =>
      deps.notifications.list(await api.notifications(asking)),
    ),
  ];
  const ask = async (name: List): Promise<void> => {
    try {
      await units.askNow(name);
    } catch (error) {
      // A plain API may lack a list, but an account without sensors cannot be displayed. A list that only failed
      // is not empty: without it the account is not known.
      const lacking = error instanceof UpstreamStatusError && lacksCall(error.status);
      if (name === "sensors" || !lacking) throw error;
    }
  };

  state.on("written", (kinds) => {
    for (const list of new Set(kinds.flatMap((kind) => LISTS_OF[kind]))) {
      empty.wrote(list);
      units.due(list, 0);
    }
  });
  state.on("messagesMissed", () => {
    for (const list of LISTS) units.dueWithin(list, SPREAD_MS);
  });

  return {
    resume() {
      for (const list of lists) units.add(list, "now");
      state.emit("devicesChanged");
    },
    async load() {
      for (const list of lists) units.add(list, list.name === "notifications" ? "now" : "spread");
      await Promise.all([ask("sensors"), ask("controllers"), ask("farms")]);
    },
  };
}
