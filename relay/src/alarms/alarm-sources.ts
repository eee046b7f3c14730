import type { Actor } from "@mulkko/shared/live/devices";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { type FarmIndex, movesBetweenFarms } from "@mulkko/shared/rules/farm-of";
import type { AccountState } from "../account/account-state.ts";
import { entriesOf, farmIndexOf } from "../account/farm-index.ts";
import type { LinkMonitor } from "../upstream/link-monitor.ts";
import {
  type AlarmAudience,
  type AlarmSettings,
  type AlarmSink,
  type AlarmSource,
  createOpenValves,
  type SourceDeps,
} from "./alarm-source.ts";
import { createClockAlarms } from "./clock-alarms.ts";
import { createCommandAlarms } from "./command-alarms.ts";
import { createNotificationAlarms } from "./notification-alarms.ts";
import { OpeningAlarms } from "./opening-alarms.ts";
import { createOutageAlarms } from "./outage-alarms.ts";
import { PresenceAlarms } from "./presence-alarms.ts";
import { createSoilAlarms } from "./soil-alarms.ts";

/** All sources of an account's alarms as one. */
export interface AlarmSources extends Required<AlarmSource> {
  /** Let the relay close an external opening at `until` (ms UTC); false if there is none. */
  closeAt(channelKey: string, until: number, by: Actor): boolean;
}

export function createAlarmSources(deps: {
  sink: AlarmSink;
  state: AccountState;
  clock: Clock;
  timers: Timers;
  link: LinkMonitor;
  settings: AlarmSettings;
  audience: AlarmAudience;
}): AlarmSources {
  const { sink, state, clock, timers, link, settings, audience } = deps;
  const shared: SourceDeps = { sink, state, clock, timers };
  const open = createOpenValves(state);
  // A takeover begins with the whole state. Its keys are looked at in any order, and each look needs all valves.
  for (const key of [...state.keys()]) open.changed(key, undefined);
  let farmIndex: FarmIndex | undefined;
  const farms = (): FarmIndex => {
    farmIndex ??= farmIndexOf(entriesOf(state));
    return farmIndex;
  };
  const outages = createOutageAlarms({ ...shared, link, open, audience });
  const presence = new PresenceAlarms({ ...shared, open, farms, covering: () => outages.covering });
  const openings = new OpeningAlarms({ ...shared, settings });
  const sources: readonly AlarmSource[] = [
    presence,
    createStorageAlarms({ sink, state, link, audience }),
    outages,
    openings,
    createCommandAlarms(shared),
    createSoilAlarms(shared),
    createClockAlarms(shared),
    createNotificationAlarms({
      ...shared,
      isPartOfOutage: (key) => presence.isPartOfOutage(key),
      isOutage: () => outages.covering !== undefined,
    }),
  ];
  return {
    closeAt: (...asked) => openings.closeAt(...asked),
    changed(key, fields) {
      open.changed(key, fields);
      if (movesBetweenFarms(key, fields)) farmIndex = undefined;
      for (const source of sources) source.changed?.(key, fields);
    },
    event(event) {
      for (const source of sources) source.event?.(event);
    },
    restored(alarms) {
      for (const source of sources) source.restored?.(alarms);
    },
    close() {
      for (const source of sources) source.close?.();
    },
  };
}

/** Key of the alarm about storing readings. */
const STORAGE_KEY = "link:storage";

/**
 * Raise the most urgent alarm of administrators while the farm API stores no readings: only they can fix it.
 */
function createStorageAlarms(deps: {
  sink: AlarmSink;
  state: AccountState;
  link: LinkMonitor;
  audience: AlarmAudience;
}): AlarmSource {
  const { sink, state, link, audience } = deps;
  /** Null: unknown, as after a start without a viewer. */
  let isAdministrator: boolean | null = null;
  const look = (): void => {
    const { notStoring, storingKnown } = link.state;
    if (notStoring === null) {
      // After a start the farm API has yet to say if it stores readings (ALM-8).
      if (storingKnown) sink.clear(STORAGE_KEY, "not-storing");
      return;
    }
    const isRaised = sink.active(STORAGE_KEY, "not-storing") !== undefined;
    if (!(audience.isAdministrator || (isAdministrator ?? isRaised))) {
      sink.clear(STORAGE_KEY, "not-storing");
      return;
    }
    sink.hold(STORAGE_KEY, "not-storing", {
      priority: 1,
      detail: { fault: notStoring.fault, since: new Date(notStoring.since).toISOString() },
    });
  };
  state.on("roleKnown", (is) => {
    isAdministrator = is;
    look();
  });
  const stop = link.listen(look);
  look();
  return { restored: look, close: stop };
}
