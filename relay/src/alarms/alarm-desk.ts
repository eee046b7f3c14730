import { randomUUID } from "node:crypto";
import type { Alarm } from "@mulkko/shared/live/alarm";
import type { Actor } from "@mulkko/shared/live/devices";
import { alarmKey } from "@mulkko/shared/live/keys";
import type { Clock } from "@mulkko/shared/rules/clock";
import { byUrgency } from "../core/alarm.ts";
import { type AlarmStep, type AnswerStep, createAlarmBook } from "../core/alarm-book.ts";
import type { AlarmAnswer, AlarmDesk } from "../ports/alarms.ts";
import type { AlarmStore } from "../ports/durable.ts";
import type { LinkMonitor } from "../ports/link.ts";
import type { Log } from "../ports/log.ts";
import type { StateValue } from "../ports/streams.ts";
import type { Timers } from "../ports/timers.ts";
import type { ValveDesk } from "../ports/valves.ts";
import type { AccountWriter } from "../ports/writer.ts";
import { createAlarmKeeper } from "./alarm-keeper.ts";
import type { AlarmSink, AlarmSource } from "./alarm-source.ts";
import { createCommandAlarms } from "./command-alarms.ts";
import { createFarmMembers } from "./farm-members.ts";
import { createNotificationAlarms } from "./notification-alarms.ts";
import { createOpenValves } from "./open-valves.ts";
import { createOpeningAlarms } from "./opening-alarms.ts";
import { createOutageAlarms } from "./outage-alarms.ts";
import { createPastAlarms, pastSince, readAlarms } from "./past-alarms.ts";
import { createPresenceAlarms } from "./presence-alarms.ts";
import { createSoilAlarms } from "./soil-alarms.ts";
import { createStorageAlarms } from "./storage-alarms.ts";
import type { WriterTap } from "./tapped-writer.ts";
import { createValveCloser } from "./valve-closer.ts";

/** What an account's alarms are made of. */
export interface AlarmDeskParts {
  /** Alarms go out here; what the sources see is told through the tap. */
  readonly writer: AccountWriter;
  readonly store: AlarmStore;
  readonly link: LinkMonitor;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  /** Hard cap of a controller's runs, ms (RUN-1). */
  readonly capMs: (controllerId: string) => number;
  /** RUN-3: the relay closes at the hard cap what somebody opened at the controller. */
  readonly adopts: () => boolean;
  /** The account's valves, which are made after its alarms. */
  readonly valves: () => Pick<ValveDesk, "command"> | undefined;
  /** Somebody looks at the account, or the relay watches on by itself. */
  readonly attended: () => boolean;
  /** The account is an administrator's, as far as is known. */
  readonly administers: () => boolean;
  readonly newId?: () => string;
}

/** The alarms as the account's owner holds them. */
export interface OwnedAlarms extends AlarmDesk, WriterTap {
  /** The farm API lets the relay read the account, or does so no more. */
  access(has: boolean): void;
  /** The account's lists have been read: alarms of what is not in them are over. */
  loaded(): void;
  /** What the account has set is another. */
  reviewed(): void;
  /** It is known whether the account is an administrator's. */
  roleReviewed(): void;
  close(): Promise<void>;
}

/** Longest time between two looks at snoozes, ms: a clock that was set is noticed. */
const LOOK_MS = 3_600_000;

/**
 * The alarms of an account: loaded before anything else is (ALM-6), raised and cleared by their sources, shown in
 * `devices` and told in `events`, kept in the store.
 *
 * @throws StoreUnavailableError when the stored alarms cannot be read
 */
export async function createAlarmDesk(parts: AlarmDeskParts): Promise<OwnedAlarms> {
  const { writer, store, link, clock, timers, log } = parts;
  const book = createAlarmBook(parts.newId ?? randomUUID);
  const past = createPastAlarms();
  const keeper = createAlarmKeeper({ store, timers, log });
  let waking: { cancel(): void } | undefined;

  const tell = (alarm: Alarm): void => {
    writer.event({ kind: "alarm", at: new Date(clock.now()).toISOString(), alarm });
  };
  const forgetStale = (): void => {
    const at = clock.now();
    for (const id of past.takeStale(at)) keeper.put({ id, at, alarm: null });
  };
  const apply = (step: AlarmStep): void => {
    const at = clock.now();
    switch (step.kind) {
      case "nothing":
        return;
      case "full":
        log.warn({ alarms: book.size }, "an alarm was left out: the account has too many active ones");
        return;
      case "changed":
        writer.set(alarmKey(step.alarm.id), step.alarm);
        keeper.put({ id: step.alarm.id, at, alarm: step.alarm });
        if (step.told) tell(step.alarm);
        break;
      case "past":
        writer.del(alarmKey(step.alarm.id));
        past.add(step.alarm.id, at);
        keeper.put({ id: step.alarm.id, at, alarm: step.alarm });
        tell(step.alarm);
        forgetStale();
        break;
      case "withdrawn":
        writer.del(alarmKey(step.alarm.id));
        keeper.put({ id: step.alarm.id, at, alarm: null });
        break;
    }
    for (const trimmed of book.trim()) apply(trimmed);
    wakeLater();
  };
  /** Snoozes end at their moment (ALM-3). */
  function wakeLater(): void {
    waking?.cancel();
    const next = book.nextWake();
    waking =
      next === null
        ? undefined
        : timers.after(Math.min(LOOK_MS, Math.max(1, next - clock.now())), () => {
            waking = undefined;
            for (const step of book.wake(clock.now())) apply(step);
            wakeLater();
          });
  }

  const sink: AlarmSink = {
    raise: (key, type, condition) => apply(book.raise(key, type, condition, clock.now())),
    hold: (key, type, condition) => apply(book.hold(key, type, condition, clock.now())),
    clear: (key, type) => apply(book.clear(key, type, clock.now())),
    note: (key, type, condition) => apply(book.note(key, type, condition, clock.now())),
    withdraw: (key, type) => apply(book.withdraw(key, type)),
    active(key, type) {
      const alarm = book.of(key, type);
      return alarm?.active ? alarm : undefined;
    },
  };
  const stored = await readAlarms(store);
  const present = new Set(stored.present.map(({ id }) => alarmKey(id)));
  for (const key of [...writer.keys()]) if (key.startsWith("alarm:") && !present.has(key)) writer.del(key);
  for (const alarm of stored.present) {
    book.restore(alarm);
    writer.set(alarmKey(alarm.id), alarm);
  }
  for (const alarm of stored.past) past.add(alarm.id, pastSince(alarm));
  for (const id of stored.unreadable) {
    log.error({ alarm: id }, "a stored alarm cannot be read and is forgotten");
    keeper.put({ id, at: clock.now(), alarm: null });
  }
  forgetStale();

  const shared = { sink, writer, clock, timers };
  const open = createOpenValves(writer);
  const farms = createFarmMembers(writer);
  const outages = createOutageAlarms({
    ...shared,
    link,
    open,
    attended: parts.attended,
    onOver: (key) => presence.outageOver(key),
  });
  const presence = createPresenceAlarms({ ...shared, open, farms, covering: () => outages.covering });
  const openings = createOpeningAlarms({
    ...shared,
    capMs: parts.capMs,
    adopts: parts.adopts,
    closer: createValveCloser({ writer, valves: parts.valves, timers, log }),
  });
  const storage = createStorageAlarms({ sink, link, administers: parts.administers });
  const sources: readonly AlarmSource[] = [
    presence,
    storage,
    outages,
    openings,
    createCommandAlarms(shared),
    createSoilAlarms(shared),
    createNotificationAlarms({
      ...shared,
      isFolded: presence.isFolded,
      isOutage: () => outages.covering !== undefined,
    }),
  ];
  for (const source of sources) source.restored?.(stored.present);
  for (const step of book.wake(clock.now())) apply(step);
  wakeLater();

  const changed = (key: string, fields: StateValue | undefined): void => {
    open.changed(key, fields);
    farms.changed(key, fields);
    for (const source of sources) source.changed?.(key, fields);
    if (fields === undefined && writer.get(key) === undefined) clearAbout(key);
  };
  const clearAbout = (key: string): void => {
    for (const { type, active } of book.about(key)) if (active) sink.clear(key, type);
  };
  // What an owner before this one has left is looked at as if it had just come.
  for (const key of [...writer.keys()]) changed(key, undefined);
  const answer = async (step: AnswerStep, by: Actor, what: string): Promise<AlarmAnswer> => {
    if (!step.ok) return step;
    apply(step.step);
    log.info({ alarm: step.alarm.id, type: step.alarm.type, key: step.alarm.key, by: by.id }, what);
    await keeper.tried();
    return { ok: true, alarm: step.alarm };
  };

  return {
    changed,
    event(event) {
      for (const source of sources) source.event?.(event);
    },
    access: outages.access,
    loaded() {
      const gone = new Set<string>();
      for (const { key } of book.alarms) {
        if (/^(sensor|controller|channel|farm):/.test(key) && writer.get(key) === undefined) gone.add(key);
      }
      for (const key of gone) clearAbout(key);
    },
    present: async () => [...book.alarms].sort(byUrgency),
    async past() {
      await keeper.tried();
      const { past: all } = await readAlarms(store);
      return [...all].sort((a, b) => pastSince(b) - pastSince(a));
    },
    acknowledge(id, by, comment) {
      const at = new Date(clock.now()).toISOString();
      return answer(book.acknowledge(id, { by, at, comment }), by, "an alarm was acknowledged");
    },
    snooze: (id, by, until, reason) =>
      answer(book.snooze(id, until, reason, clock.now()), by, "an alarm was put off"),
    unsnooze: (id, by) => answer(book.unsnooze(id), by, "an alarm is no longer put off"),
    async closeIn(id, by, minutes) {
      const alarm = book.byId(id);
      if (alarm === undefined) return { ok: false, why: "unknown" };
      const until = clock.now() + minutes * 60_000;
      const taken = alarm.active && alarm.type === "external-open" && openings.closeAt(alarm.key, until, by);
      if (!taken) return { ok: false, why: "nothing-open" };
      log.info({ alarm: id, key: alarm.key, by: by.id, minutes }, "an opening at the controller got an end");
      await keeper.tried();
      return { ok: true, alarm: book.byId(id) ?? alarm };
    },
    reviewed: openings.reviewed,
    roleReviewed: storage.reviewed,
    async close() {
      waking?.cancel();
      for (const source of sources) source.close?.();
      await keeper.tried();
      keeper.close();
    },
  };
}
