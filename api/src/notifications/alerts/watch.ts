import type { Clock } from "@mulkko/shared/rules/clock";
import { medianInterval, offlineAfter } from "@mulkko/shared/rules/quality";
import { createRateLimit } from "@mulkko/shared/rules/rate-limit";
import type { FastifyBaseLogger } from "fastify";
import type { Database } from "../../database/database.ts";
import type { DeviceIndex } from "../../devices/device-index.ts";
import { createDevicePresence } from "../../devices/presence/device-presence.ts";
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

/** Monitor all devices and notify their owners. */
export interface Alerts {
  /** Read the stored state. Call it once `received` gets new messages. */
  load(): Promise<void>;
  /** Evaluate stored messages. */
  received(batch: readonly DeviceContact[]): void;
  /** Return the contact after a device's last gap of an hour or more, ms since 1970 UTC; null: none is known. */
  backAt(deviceId: string): number | null;
  /** Check for silent devices and send due mails. Never throws. */
  look(): Promise<void>;
  /** Resolve when everything noticed so far is stored; ignore all later messages. */
  stop(): Promise<void>;
}

interface Watched {
  state: ConditionState;
  /** Allowed silence, ms; null until it is first needed during a silence. */
  allowedSilence: number | null;
}

const allowedSilenceIn = ({ allowedSilence }: Watched): number => allowedSilence ?? allowedSilenceOf([]);

const silentSince = ({ heardAt }: ConditionState, receivingFrom: number): number =>
  Math.max(heardAt ?? Number.POSITIVE_INFINITY, receivingFrom);

export function createAlerts(deps: AlertDeps): Alerts {
  const { database, deviceIndex, notifier, clock, logger } = deps;
  // Bounded by the registered devices.
  const watched = new Map<string, Watched>();
  const raised = createRateLimit(clock, HOUR_MS);
  const presence = createDevicePresence(deps);
  let receivingFrom = clock.now();
  let lookedAt = clock.now();
  let looking: Promise<void> | null = null;
  let writing: Promise<void> = Promise.resolve();
  let isStopped = false;
  /**
   * Log one line where a failure begins and one where it ends: on a full disk every check and every device
   * fails.
   */
  const trouble = { isOn: false, inLook: false };
  const troubled = (error: unknown): void => {
    trouble.inLook = true;
    if (trouble.isOn) return;
    trouble.isOn = true;
    logger.error({ event: "alert-store-failed", err: error }, "cannot store alerts");
  };
  const lookedWell = (): void => {
    if (!trouble.isOn || trouble.inLook) return;
    trouble.isOn = false;
    logger.info({ event: "alert-store-recovered" }, "alerts stored again");
  };

  /** Reset the state in memory to the stored one, so that the next message or check tries again. */
  function undo(deviceId: string, { type, begins }: ConditionChange): void {
    const known = watched.get(deviceId);
    if (known) known.state = withOpen(known.state, type, !begins);
  }

  async function write(deviceId: string, change: ConditionChange, noticedAt: number): Promise<void> {
    try {
      if (change.begins) await notifier.begin(deviceId, change.type, change.value, noticedAt);
      else await notifier.end(deviceId, change.type);
    } catch (error) {
      troubled(error);
      undo(deviceId, change);
    }
  }

  function apply(deviceId: string, known: Watched, { state, changes }: Evaluation, noticedAt: number): void {
    known.state = state;
    for (const change of changes) {
      if (change.begins && raised.refuses(`${deviceId} ${change.type}`, MAX_PER_HOUR) !== null) {
        undo(deviceId, change);
        continue;
      }
      // In order: an end must not overtake its beginning. No message waits for it.
      writing = writing.then(() => write(deviceId, change, noticedAt));
    }
  }

  function watch(deviceId: string): Watched {
    const known = watched.get(deviceId) ?? { state: NEVER_SEEN, allowedSilence: null };
    watched.set(deviceId, known);
    return known;
  }

  /** Return the devices whose silence exceeds the known allowance. */
  function silentNow(now: number): [string, Watched][] {
    const silent: [string, Watched][] = [];
    for (const [id, known] of watched) {
      if (!deviceIndex.byId(id)) watched.delete(id);
      else if (
        !known.state.open.DEVICE &&
        now - silentSince(known.state, receivingFrom) >= allowedSilenceIn(known)
      ) {
        silent.push([id, known]);
        if (silent.length >= MAX_PER_LOOK) break;
      }
    }
    return silent;
  }

  async function lookForSilent(now: number): Promise<void> {
    const silent = silentNow(now);
    const unknown = silent.filter(([, { allowedSilence }]) => allowedSilence === null).map(([id]) => id);
    if (unknown.length > 0) {
      const times = await readRecentTimes(database, unknown, now);
      for (const id of unknown) {
        const known = watched.get(id);
        if (known) known.allowedSilence = allowedSilenceOf(times.get(id) ?? []);
      }
    }
    for (const [id, known] of silent) {
      // The device may have sent a message during the database query.
      const offlineAt = silentSince(known.state, receivingFrom) + allowedSilenceIn(known);
      if (now < offlineAt) continue;
      presence.silent(id, allowedSilenceIn(known));
      apply(id, known, fallSilent(known.state), now);
    }
    await writing;
  }

  /** Record the silences whose alert was stored just before the process ended, but not their flip. */
  async function recordUnwrittenSilences(): Promise<void> {
    const silent = [...watched].filter(([id, { state }]) => state.open.DEVICE && presence.isOnline(id));
    const ids = silent.map(([id]) => id);
    if (ids.length === 0) return;
    const now = clock.now();
    const times = await readRecentTimes(database, ids, now);
    for (const [id, { state }] of silent) {
      const allowedMs = allowedSilenceOf(times.get(id) ?? []);
      // It may have reported meanwhile.
      if (state.heardAt !== null && now - state.heardAt >= allowedMs) presence.silent(id, allowedMs);
    }
  }

  const storePresence = (): Promise<void> => presence.store(false).catch(troubled);

  async function lookOnce(): Promise<void> {
    const now = clock.now();
    const canReceive = deps.canReceive();
    receivingFrom = receivingSince(receivingFrom, lookedAt, now, canReceive);
    lookedAt = now;
    trouble.inLook = false;
    try {
      await lookForSilent(now);
      await presence.store(canReceive);
      await notifier.postDigests(now);
      lookedWell();
    } catch (error) {
      troubled(error);
    }
  }

  return {
    async load() {
      await presence.load();
      for (const [id, state] of await readStates(database)) {
        const known = watched.get(id);
        // Messages received meanwhile are newer than the stored state; only open conditions come from it.
        if (known) known.state = { ...known.state, open: state.open };
        else watched.set(id, { state, allowedSilence: null });
      }
      await recordUnwrittenSilences();
    },
    received(batch) {
      if (isStopped) return;
      const now = clock.now();
      // With the reading that ended a gap, so that lists name both (FLIP-1).
      if (presence.received(batch)) writing = writing.then(storePresence);
      for (const one of batch) {
        const known = watch(one.deviceId);
        known.allowedSilence = null;
        apply(
          one.deviceId,
          known,
          evaluateContact(known.state, one, deviceIndex.byId(one.deviceId)?.type ?? "", now),
          now,
        );
      }
    },
    backAt: presence.backAt,
    look() {
      if (isStopped) return Promise.resolve();
      looking ??= lookOnce().finally(() => {
        looking = null;
      });
      return looking;
    },
    async stop() {
      isStopped = true;
      await looking;
      await writing;
      await presence.store(false).catch((error: unknown) => {
        logger.warn({ event: "presence-store-failed", err: error }, "cannot store device presence");
      });
    },
  };
}
