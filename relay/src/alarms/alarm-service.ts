import { randomUUID } from "node:crypto";
import type { Alarm } from "@mulkko/shared/live/alarm";
import type { Actor } from "@mulkko/shared/live/devices";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { alarmKey } from "@mulkko/shared/rules/device-keys";
import type { ProvenAccount } from "../access/token-prover.ts";
import type { AccountState } from "../account/account-state.ts";
import { thingName } from "../account/thing-name.ts";
import type { Log } from "../runtime/log.ts";
import { putDated, removed } from "../store/collections.ts";
import type { Documents } from "../store/documents.ts";
import { StoreUnavailableError } from "../store/errors.ts";
import type { StateValue } from "../store/streams.ts";
import { byUrgency } from "./alarm.ts";
import type { AlarmAnswer, AlarmService } from "./alarm-calls.ts";
import { ALARMS, createAlarmWriter, createPastAlarms, pastSince, readAlarms } from "./alarm-persistence.ts";
import { type AlarmStep, type AnswerStep, createAlarmRegistry } from "./alarm-registry.ts";
import type { AlarmSink } from "./alarm-source.ts";
import type { AlarmSources } from "./alarm-sources.ts";

/** Dependencies of an account's alarms. */
export interface AlarmServiceDeps {
  /** Alarms are written here; their sources observe its changes. */
  readonly state: AccountState;
  readonly store: Documents;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly createSources: (sink: AlarmSink) => AlarmSources;
}

/** The alarms as the account's owner holds them. */
export interface OwnedAlarms extends AlarmService {
  /** Judge all that the previous owner left; the account's valves listen by then. */
  start(): void;
  close(): Promise<void>;
}

/** Longest time between two checks of snoozes, ms, to notice that the clock was set. */
const LOOK_MS = 3_600_000;

/**
 * Create the alarms of an account. They are loaded before anything else (ALM-6), raised and cleared by their
 * sources, shown in `devices`, published in `events`, and stored.
 * @throws StoreUnavailableError when the stored alarms cannot be read
 */
export async function createAlarmService(
  deps: AlarmServiceDeps,
  newId: () => string = randomUUID,
): Promise<OwnedAlarms> {
  const { state, store, clock, timers, log } = deps;
  const registry = createAlarmRegistry(newId, (key) => thingName(state, key));
  const past = createPastAlarms();
  const persistence = createAlarmWriter({ store, timers, log });
  let waking: { cancel(): void } | undefined;

  const publishEvent = (alarm: Alarm): void => {
    state.event({ kind: "alarm", at: new Date(clock.now()).toISOString(), alarm });
  };
  const keep = (alarm: Alarm, at: number): void =>
    void persistence.put([putDated(ALARMS, alarm.id, at, alarm)]);
  const forget = (id: string): void => void persistence.put([removed(ALARMS, id)]);
  const forgetStale = (): void => {
    for (const id of past.takeStale(clock.now())) forget(id);
  };
  const apply = (step: AlarmStep): void => {
    const at = clock.now();
    switch (step.kind) {
      case "nothing":
        return;
      case "full":
        log.warn(
          { event: "alarm-limit-exceeded", alarms: registry.size },
          "skipped alarm: too many active alarms in the account",
        );
        return;
      case "changed":
        state.set(alarmKey(step.alarm.id), step.alarm);
        keep(step.alarm, at);
        if (step.reported) publishEvent(step.alarm);
        break;
      case "past":
        state.del(alarmKey(step.alarm.id));
        past.add(step.alarm.id, at);
        keep(step.alarm, at);
        publishEvent(step.alarm);
        forgetStale();
        break;
      case "withdrawn":
        state.del(alarmKey(step.alarm.id));
        forget(step.alarm.id);
        break;
    }
    for (const trimmed of registry.trim()) apply(trimmed);
    wakeLater();
  };
  /** End snoozes on time (ALM-3). */
  function wakeLater(): void {
    waking?.cancel();
    const next = registry.nextWake();
    waking =
      next === null
        ? undefined
        : timers.after(Math.min(LOOK_MS, Math.max(1, next - clock.now())), () => {
            waking = undefined;
            for (const step of registry.wake(clock.now())) apply(step);
            wakeLater();
          });
  }

  const sink: AlarmSink = {
    raise: (key, type, condition) => apply(registry.raise(key, type, condition, clock.now())),
    hold: (key, type, condition) => apply(registry.hold(key, type, condition, clock.now())),
    clear: (key, type) => apply(registry.clear(key, type, clock.now())),
    note: (key, type, condition) => apply(registry.note(key, type, condition, clock.now())),
    withdraw: (key, type) => apply(registry.withdraw(key, type)),
    active(key, type) {
      const alarm = registry.of(key, type);
      return alarm?.active ? alarm : undefined;
    },
  };
  const stored = await readAlarms(store);
  const present = new Set(stored.present.map(({ id }) => alarmKey(id)));
  for (const key of [...state.keys()]) if (key.startsWith("alarm:") && !present.has(key)) state.del(key);
  for (const alarm of stored.present) {
    registry.restore(alarm);
    state.set(alarmKey(alarm.id), alarm);
  }
  for (const alarm of stored.past) past.add(alarm.id, pastSince(alarm));
  for (const id of stored.unreadable) {
    log.error({ event: "stored-alarm-unreadable", alarm: id }, "deleted unreadable stored alarm");
    forget(id);
  }
  forgetStale();

  const sources = deps.createSources(sink);
  sources.restored(stored.present);
  for (const step of registry.wake(clock.now())) apply(step);
  wakeLater();

  const clearAbout = (key: string): void => {
    for (const { type, active } of registry.about(key)) if (active) sink.clear(key, type);
  };
  const changed = (key: string, fields: StateValue | undefined): void => {
    sources.changed(key, fields);
    if (fields === undefined && state.get(key) === undefined) clearAbout(key);
  };
  state.on("changed", (key, fields) => {
    if (!key.startsWith("alarm:")) changed(key, fields);
  });
  state.on("published", sources.event);
  // Alarms of things that the lists lack are over.
  state.on("listsRead", () => {
    const gone = new Set<string>();
    for (const { key } of registry.alarms) {
      if (/^(sensor|controller|channel|farm):/.test(key) && state.get(key) === undefined) gone.add(key);
    }
    for (const key of gone) clearAbout(key);
  });
  const answer = async (
    step: AnswerStep,
    by: Actor,
    event: string,
    message: string,
  ): Promise<AlarmAnswer> => {
    if (!step.ok) return step;
    apply(step.step);
    const { id: alarm, type, key } = step.alarm;
    log.info({ event, alarm, type, key, by: by.id }, message);
    await persistence.tried();
    return { ok: true, alarm: step.alarm };
  };

  return {
    start() {
      for (const key of [...state.keys()]) changed(key, undefined);
    },
    async list({ which }) {
      if (which === "present") return [...registry.alarms].sort(byUrgency);
      await persistence.tried();
      const { past: all } = await readAlarms(store);
      return [...all].sort((a, b) => pastSince(b) - pastSince(a));
    },
    acknowledge({ id, by, comment }) {
      const at = new Date(clock.now()).toISOString();
      return answer(
        registry.acknowledge(id, { by, at, comment }),
        by,
        "alarm-acknowledged",
        "acknowledged alarm",
      );
    },
    snooze: ({ id, by, until, reason }) =>
      answer(registry.snooze(id, until, reason, clock.now()), by, "alarm-snoozed", "snoozed alarm"),
    unsnooze: ({ id, by }) =>
      answer(registry.unsnooze(id), by, "alarm-unsnoozed", "cancelled snooze of alarm"),
    async closeIn({ id, by, minutes }) {
      const alarm = registry.byId(id);
      if (alarm === undefined) return { ok: false, why: "unknown" };
      const until = clock.now() + minutes * 60_000;
      const taken = alarm.active && alarm.type === "external-open" && sources.closeAt(alarm.key, until, by);
      if (!taken) return { ok: false, why: "nothing-open" };
      log.info(
        { event: "external-opening-end-set", alarm: id, key: alarm.key, by: by.id, minutes },
        "set end of external opening",
      );
      if ((await persistence.put([])) !== "written")
        throw new StoreUnavailableError("the end is set, but not stored");
      return { ok: true, alarm: registry.byId(id) ?? alarm };
    },
    async close() {
      waking?.cancel();
      sources.close();
      await persistence.tried();
      persistence.close();
    },
  };
}

/** The alarm services of all accounts. */
export interface AlarmServices {
  /** Return the account's alarms, for users who view and answer them. */
  alarms(proven: Pick<ProvenAccount, "accountId">, token: string | undefined): Promise<AlarmService>;
}
