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
import {
  ALARMS,
  createAlarmWriter,
  createPastAlarms,
  pastSince,
  readAlarms,
  type StoredAlarms,
} from "./alarm-persistence.ts";
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

/** The arguments of a call of an account's alarms. */
type Asked<M extends keyof AlarmService> = Parameters<AlarmService[M]>[0];

/** Longest time between two checks of snoozes, ms, to notice that the clock was set. */
const LOOK_MS = 3_600_000;

/**
 * The alarms of an account as its owner holds them. They are loaded before anything else (ALM-6), raised and cleared by
 * their sources, shown in `devices`, published in `events`, and stored.
 *
 * | an alarm | becomes | by |
 * | --- | --- | --- |
 * | none | active | its source raises it |
 * | active | cleared | its source clears it, or its thing left the account's lists |
 * | cleared | active | its source raises it again: it counts the times |
 * | active, cleared | acknowledged | a person; one that is cleared, too, is past (7 days, 200 an account) |
 * | active | snoozed | a person; until its end, or until a person ends it |
 * | any | none | its source withdraws it |
 */
export class OwnedAlarms implements AlarmService {
  readonly #deps: AlarmServiceDeps;
  readonly #registry;
  readonly #past = createPastAlarms();
  readonly #persistence;
  readonly #sources: AlarmSources;
  #waking: { cancel(): void } | undefined;

  private constructor(deps: AlarmServiceDeps, stored: StoredAlarms, newId: () => string) {
    this.#deps = deps;
    const { state, store, timers, log, clock } = deps;
    this.#registry = createAlarmRegistry(newId, (key) => thingName(state, key));
    this.#persistence = createAlarmWriter({ store, timers, log });
    this.#restore(stored);
    this.#sources = deps.createSources(this.#sink());
    this.#sources.restored(stored.present);
    for (const step of this.#registry.wake(clock.now())) this.#apply(step);
    this.#wakeLater();
    state.on("changed", (key, fields) => {
      if (!key.startsWith("alarm:")) this.#changed(key, fields);
    });
    state.on("published", (event) => this.#sources.event(event));
    // Alarms of things that the lists lack are over.
    state.on("listsRead", () => {
      const gone = new Set<string>();
      for (const { key } of this.#registry.alarms) {
        if (/^(sensor|controller|channel|farm):/.test(key) && state.get(key) === undefined) gone.add(key);
      }
      for (const key of gone) this.#clearAbout(key);
    });
  }

  /** @throws StoreUnavailableError when the stored alarms cannot be read */
  static async load(deps: AlarmServiceDeps, newId: () => string = randomUUID): Promise<OwnedAlarms> {
    return new OwnedAlarms(deps, await readAlarms(deps.store), newId);
  }

  /** Judge all that the previous owner left; the account's valves listen by then. */
  start(): void {
    for (const key of [...this.#deps.state.keys()]) this.#changed(key, undefined);
  }

  async list({ which }: Asked<"list">): Promise<Alarm[]> {
    if (which === "present") return [...this.#registry.alarms].sort(byUrgency);
    await this.#persistence.tried();
    const { past: all } = await readAlarms(this.#deps.store);
    return [...all].sort((a, b) => pastSince(b) - pastSince(a));
  }

  acknowledge({ id, by, comment }: Asked<"acknowledge">): Promise<AlarmAnswer> {
    const at = new Date(this.#deps.clock.now()).toISOString();
    return this.#answer(
      this.#registry.acknowledge(id, { by, at, comment }),
      by,
      "alarm-acknowledged",
      "acknowledged alarm",
    );
  }

  snooze({ id, by, until, reason }: Asked<"snooze">): Promise<AlarmAnswer> {
    return this.#answer(
      this.#registry.snooze(id, until, reason, this.#deps.clock.now()),
      by,
      "alarm-snoozed",
      "snoozed alarm",
    );
  }

  unsnooze({ id, by }: Asked<"unsnooze">): Promise<AlarmAnswer> {
    return this.#answer(this.#registry.unsnooze(id), by, "alarm-unsnoozed", "cancelled snooze of alarm");
  }

  async closeIn({ id, by, minutes }: Asked<"closeIn">): Promise<AlarmAnswer> {
    const alarm = this.#registry.byId(id);
    if (alarm === undefined) return { ok: false, why: "unknown" };
    const until = this.#deps.clock.now() + minutes * 60_000;
    const taken =
      alarm.active && alarm.type === "external-open" && this.#sources.closeAt(alarm.key, until, by);
    if (!taken) return { ok: false, why: "nothing-open" };
    this.#deps.log.info(
      { event: "external-opening-end-set", alarm: id, key: alarm.key, by: by.id, minutes },
      "set end of external opening",
    );
    if ((await this.#persistence.put([])) !== "written")
      throw new StoreUnavailableError("the end is set, but not stored");
    return { ok: true, alarm: this.#registry.byId(id) ?? alarm };
  }

  async close(): Promise<void> {
    this.#waking?.cancel();
    this.#sources.close();
    await this.#persistence.tried();
    this.#persistence.close();
  }

  /** Take over what a previous owner left. */
  #restore({ present, past, unreadable }: StoredAlarms): void {
    const { state, log } = this.#deps;
    const keys = new Set(present.map(({ id }) => alarmKey(id)));
    for (const key of [...state.keys()]) if (key.startsWith("alarm:") && !keys.has(key)) state.del(key);
    for (const alarm of present) {
      this.#registry.restore(alarm);
      state.set(alarmKey(alarm.id), alarm);
    }
    for (const alarm of past) this.#past.add(alarm.id, pastSince(alarm));
    for (const id of unreadable) {
      log.error({ event: "stored-alarm-unreadable", alarm: id }, "deleted unreadable stored alarm");
      this.#forget(id);
    }
    this.#forgetStale();
  }

  /** Return the way by which the sources raise and clear alarms. */
  #sink(): AlarmSink {
    const registry = this.#registry;
    const now = () => this.#deps.clock.now();
    return {
      raise: (key, type, condition) => this.#apply(registry.raise(key, type, condition, now())),
      hold: (key, type, condition) => this.#apply(registry.hold(key, type, condition, now())),
      clear: (key, type) => this.#apply(registry.clear(key, type, now())),
      note: (key, type, condition) => this.#apply(registry.note(key, type, condition, now())),
      withdraw: (key, type) => this.#apply(registry.withdraw(key, type)),
      active(key, type) {
        const alarm = registry.of(key, type);
        return alarm?.active ? alarm : undefined;
      },
    };
  }

  #publishEvent(alarm: Alarm): void {
    this.#deps.state.event({ kind: "alarm", at: new Date(this.#deps.clock.now()).toISOString(), alarm });
  }

  #keep(alarm: Alarm, at: number): void {
    void this.#persistence.put([putDated(ALARMS, alarm.id, at, alarm)]);
  }

  #forget(id: string): void {
    void this.#persistence.put([removed(ALARMS, id)]);
  }

  #forgetStale(): void {
    for (const id of this.#past.takeStale(this.#deps.clock.now())) this.#forget(id);
  }

  #apply(step: AlarmStep): void {
    const { state } = this.#deps;
    const at = this.#deps.clock.now();
    switch (step.kind) {
      case "nothing":
        return;
      case "full":
        this.#deps.log.warn(
          { event: "alarm-limit-exceeded", alarms: this.#registry.size },
          "skipped alarm: too many active alarms in the account",
        );
        return;
      case "changed":
        state.set(alarmKey(step.alarm.id), step.alarm);
        this.#keep(step.alarm, at);
        if (step.reported) this.#publishEvent(step.alarm);
        break;
      case "past":
        state.del(alarmKey(step.alarm.id));
        this.#past.add(step.alarm.id, at);
        this.#keep(step.alarm, at);
        this.#publishEvent(step.alarm);
        this.#forgetStale();
        break;
      case "withdrawn":
        state.del(alarmKey(step.alarm.id));
        this.#forget(step.alarm.id);
        break;
    }
    for (const trimmed of this.#registry.trim()) this.#apply(trimmed);
    this.#wakeLater();
  }

  /** End snoozes on time (ALM-3). */
  #wakeLater(): void {
    const { clock } = this.#deps;
    this.#waking?.cancel();
    const next = this.#registry.nextWake();
    this.#waking =
      next === null
        ? undefined
        : this.#deps.timers.after(Math.min(LOOK_MS, Math.max(1, next - clock.now())), () => {
            this.#waking = undefined;
            for (const step of this.#registry.wake(clock.now())) this.#apply(step);
            this.#wakeLater();
          });
  }

  #clearAbout(key: string): void {
    for (const { type, active } of this.#registry.about(key))
      if (active) this.#apply(this.#registry.clear(key, type, this.#deps.clock.now()));
  }

  #changed(key: string, fields: StateValue | undefined): void {
    this.#sources.changed(key, fields);
    if (fields === undefined && this.#deps.state.get(key) === undefined) this.#clearAbout(key);
  }

  async #answer(step: AnswerStep, by: Actor, event: string, message: string): Promise<AlarmAnswer> {
    if (!step.ok) return step;
    this.#apply(step.step);
    const { id: alarm, type, key } = step.alarm;
    this.#deps.log.info({ event, alarm, type, key, by: by.id }, message);
    await this.#persistence.tried();
    return { ok: true, alarm: step.alarm };
  }
}

/** The alarm services of all accounts. */
export interface AlarmServices {
  /** Return the account's alarms, for users who view and answer them. */
  alarms(proven: Pick<ProvenAccount, "accountId">, token: string | undefined): Promise<AlarmService>;
}
