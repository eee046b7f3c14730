import type { Clock } from "@mulkko/shared/rules/clock";
import { medianInterval, offlineAfter } from "@mulkko/shared/rules/quality";
import { createRateLimit, type RateLimit } from "@mulkko/shared/rules/rate-limit";
import type { FastifyBaseLogger } from "fastify";
import type { Database } from "../../database/database.ts";
import type { DeviceIndex } from "../../devices/device-index.ts";
import { createDevicePresence, type DevicePresence } from "../../devices/presence/device-presence.ts";
import type { DeviceContact } from "../../devices/received.ts";
import {
  type ConditionChange,
  type ConditionState,
  type Evaluation,
  evaluateContact,
  fallSilent,
  NEVER_SEEN,
  withOpen,
} from "./conditions.ts";
import type { Notifier } from "./notifier.ts";
import { readRecentTimes, readStates } from "./repository.ts";

/** Most devices reported as silent per check; the others follow at the next check. */
const MAX_PER_LOOK = 200;

/** Gap between two checks, ms, beyond which the machine was suspended and received nothing. */
const MAX_GAP_MS = 5 * 60_000;

/**
 * Return since when this program has been able to receive messages. Silence counts from then on. Excluded are
 * the time before the program's start, an unavailable database or broker, and a suspended machine.
 *
 * @param now ms since 1970 UTC, like all times here
 * @param lookedAt time of the previous check
 */
export function receivingSince(before: number, lookedAt: number, now: number, canReceive: boolean): number {
  if (!canReceive || now - lookedAt > MAX_GAP_MS) return now;
  return Math.min(before, now);
}

/**
 * Return how long a device may be silent, ms: 60 min, or 2.5 times its usual interval if longer, but at most
 * 26 h.
 *
 * @param times times of its newest readings, newest first, ms since 1970 UTC
 */
export function allowedSilenceOf(times: readonly number[]): number {
  const gaps = times.slice(1).map((time, index) => (times[index] ?? time) - time);
  return offlineAfter(medianInterval(gaps));
}

/** Most notifications per device and type within an hour, so that erratic values do not fill the list. */
const MAX_PER_HOUR = 6;
const HOUR_MS = 60 * 60_000;

export interface AlertDeps {
  readonly database: Database;
  readonly deviceIndex: DeviceIndex;
  /** True while messages can be received and stored. */
  readonly canReceive: () => boolean;
  readonly notifier: Notifier;
  readonly clock: Clock;
  readonly logger: FastifyBaseLogger;
}

interface Watched {
  state: ConditionState;
  /** Allowed silence, ms; null until it is first needed during a silence. */
  allowedSilence: number | null;
  /** The last check at which its account was in the trash: its messages were refused. */
  refusedAt: number;
}

const unwatched = (): Watched => ({ state: NEVER_SEEN, allowedSilence: null, refusedAt: 0 });

const allowedSilenceIn = ({ allowedSilence }: Watched): number => allowedSilence ?? allowedSilenceOf([]);

const silentSince = ({ state: { heardAt }, refusedAt }: Watched, receivingFrom: number): number =>
  Math.max(heardAt ?? Number.POSITIVE_INFINITY, refusedAt, receivingFrom);

/**
 * Monitors all devices and notifies their owners.
 *
 * | a condition of a device | becomes | when |
 * | --- | --- | --- |
 * | closed | open | a message shows it, or the device is silent for longer than allowed |
 * | open | closed | a message shows its end |
 * | open | closed | it has begun too often within an hour, or its begin could not be stored: tried again |
 * | closed | open | its end could not be stored: tried again |
 *
 * | storing | becomes | when |
 * | --- | --- | --- |
 * | well | in trouble | something could not be stored, or a check failed; logged |
 * | in trouble | well | a whole check was without a failure; logged |
 */
export class Alerts {
  readonly #deps: AlertDeps;
  /** Bounded by the registered devices; those in the trash may come back. */
  readonly #watched = new Map<string, Watched>();
  readonly #raised: RateLimit;
  readonly #presence: DevicePresence;
  #receivingFrom: number;
  #lookedAt: number;
  #looking: Promise<void> | null = null;
  #writing: Promise<void> = Promise.resolve();
  #isStopped = false;
  /**
   * Log one line where a failure begins and one where it ends: on a full disk every check and every device
   * fails.
   */
  readonly #trouble = { isOn: false, inLook: false };

  constructor(deps: AlertDeps) {
    this.#deps = deps;
    this.#raised = createRateLimit(deps.clock, HOUR_MS);
    this.#presence = createDevicePresence(deps);
    this.#receivingFrom = deps.clock.now();
    this.#lookedAt = deps.clock.now();
  }

  /** Read the stored state. Call it once `received` gets new messages. */
  async load(): Promise<void> {
    await this.#presence.load();
    for (const [id, state] of await readStates(this.#deps.database)) {
      const known = this.#watched.get(id);
      // Messages received meanwhile are newer than the stored state; only open conditions come from it.
      if (known) known.state = { ...known.state, open: state.open };
      else this.#watched.set(id, { ...unwatched(), state });
    }
    await this.#recordUnwrittenSilences();
  }

  /** Evaluate stored messages. */
  received(batch: readonly DeviceContact[]): void {
    if (this.#isStopped) return;
    const { deviceIndex, clock } = this.#deps;
    const now = clock.now();
    // With the reading that ended a gap, so that lists name both (FLIP-1).
    if (this.#presence.received(batch)) this.#writing = this.#writing.then(() => this.#storePresence());
    for (const one of batch) {
      const known = this.#watch(one.deviceId);
      known.allowedSilence = null;
      this.#apply(
        one.deviceId,
        known,
        evaluateContact(known.state, one, deviceIndex.byId(one.deviceId)?.type ?? "", now),
        now,
      );
    }
  }

  /** Return the contact after a device's last gap of an hour or more, ms since 1970 UTC; null: none is known. */
  backAt(deviceId: string): number | null {
    return this.#presence.backAt(deviceId);
  }

  /** Check for silent devices and send due mails. Never throws. */
  look(): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  /** Resolve when everything noticed so far is stored; ignore all later messages. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#looking;
    await this.#writing;
    await this.#presence.store(false).catch((error: unknown) => {
      this.#deps.logger.warn({ event: "presence-store-failed", err: error }, "cannot store device presence");
    });
  }

  #troubled(error: unknown): void {
    this.#trouble.inLook = true;
    if (this.#trouble.isOn) return;
    this.#trouble.isOn = true;
    this.#deps.logger.error({ event: "alert-store-failed", err: error }, "cannot store alerts");
  }

  #lookedWell(): void {
    if (!this.#trouble.isOn || this.#trouble.inLook) return;
    this.#trouble.isOn = false;
    this.#deps.logger.info({ event: "alert-store-recovered" }, "alerts stored again");
  }

  /** Reset the state in memory to the stored one, so that the next message or check tries again. */
  #undo(deviceId: string, { type, begins }: ConditionChange): void {
    const known = this.#watched.get(deviceId);
    if (known) known.state = withOpen(known.state, type, !begins);
  }

  async #write(deviceId: string, change: ConditionChange, noticedAt: number): Promise<void> {
    try {
      if (change.begins) await this.#deps.notifier.begin(deviceId, change.type, change.value, noticedAt);
      else await this.#deps.notifier.end(deviceId, change.type);
    } catch (error) {
      this.#troubled(error);
      this.#undo(deviceId, change);
    }
  }

  #apply(deviceId: string, known: Watched, { state, changes }: Evaluation, noticedAt: number): void {
    known.state = state;
    for (const change of changes) {
      if (change.begins && this.#raised.refuses(`${deviceId} ${change.type}`, MAX_PER_HOUR) !== null) {
        this.#undo(deviceId, change);
        continue;
      }
      // In order: an end must not overtake its beginning. No message waits for it.
      this.#writing = this.#writing.then(() => this.#write(deviceId, change, noticedAt));
    }
  }

  #watch(deviceId: string): Watched {
    const known = this.#watched.get(deviceId) ?? unwatched();
    this.#watched.set(deviceId, known);
    return known;
  }

  /** Return the devices whose silence exceeds the known allowance. */
  #silentNow(now: number): [string, Watched][] {
    const { deviceIndex } = this.#deps;
    const silent: [string, Watched][] = [];
    for (const [id, known] of this.#watched) {
      if (!deviceIndex.byId(id)) {
        if (deviceIndex.inTrash(id)) known.refusedAt = now;
        else this.#watched.delete(id);
      } else if (
        !known.state.open.DEVICE &&
        now - silentSince(known, this.#receivingFrom) >= allowedSilenceIn(known)
      ) {
        silent.push([id, known]);
        if (silent.length >= MAX_PER_LOOK) break;
      }
    }
    return silent;
  }

  async #lookForSilent(now: number): Promise<void> {
    const silent = this.#silentNow(now);
    const unknown = silent.filter(([, { allowedSilence }]) => allowedSilence === null).map(([id]) => id);
    if (unknown.length > 0) {
      const times = await readRecentTimes(this.#deps.database, unknown, now);
      for (const id of unknown) {
        const known = this.#watched.get(id);
        if (known) known.allowedSilence = allowedSilenceOf(times.get(id) ?? []);
      }
    }
    for (const [id, known] of silent) {
      // The device may have sent a message during the database query.
      const offlineAt = silentSince(known, this.#receivingFrom) + allowedSilenceIn(known);
      if (now < offlineAt) continue;
      this.#presence.silent(id, allowedSilenceIn(known));
      this.#apply(id, known, fallSilent(known.state), now);
    }
    await this.#writing;
  }

  /** Record the silences whose alert was stored just before the process ended, but not their flip. */
  async #recordUnwrittenSilences(): Promise<void> {
    const silent = [...this.#watched].filter(
      ([id, { state }]) => state.open.DEVICE && this.#presence.isOnline(id),
    );
    const ids = silent.map(([id]) => id);
    if (ids.length === 0) return;
    const now = this.#deps.clock.now();
    const times = await readRecentTimes(this.#deps.database, ids, now);
    for (const [id, { state }] of silent) {
      const allowedMs = allowedSilenceOf(times.get(id) ?? []);
      // It may have reported meanwhile.
      if (state.heardAt !== null && now - state.heardAt >= allowedMs) this.#presence.silent(id, allowedMs);
    }
  }

  #storePresence(): Promise<void> {
    return this.#presence.store(false).catch((error: unknown) => this.#troubled(error));
  }

  async #lookOnce(): Promise<void> {
    const now = this.#deps.clock.now();
    const canReceive = this.#deps.canReceive();
    this.#receivingFrom = receivingSince(this.#receivingFrom, this.#lookedAt, now, canReceive);
    this.#lookedAt = now;
    this.#trouble.inLook = false;
    try {
      await this.#lookForSilent(now);
      await this.#presence.store(canReceive);
      await this.#deps.notifier.postDigests(now);
      this.#lookedWell();
    } catch (error) {
      this.#troubled(error);
    }
  }
}
