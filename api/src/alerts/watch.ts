import type { NotificationType } from "@mulkko/shared/entities/notification";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { FastifyBaseLogger } from "fastify";
import type { Database } from "../database/database.ts";
import type { DeviceDirectory } from "../devices/directory.ts";
import type { Heard } from "../ingest/heard.ts";
import type { Outputs } from "../ingest/outputs.ts";
import { createCounter } from "../modules/account/counter.ts";
import type { Mailer } from "../modules/mail/mailer.ts";
import { insertNotification } from "../modules/notification/repository.ts";
import { createDevicePresence } from "../presence/device-presence.ts";
import { addToDigest, postDigests } from "./digest.ts";
import {
  type AlertState,
  fallSilent,
  hear,
  type Judgement,
  NEVER_HEARD,
  type Turn,
  withOpen,
} from "./episodes.ts";
import { sentenceOf } from "./messages.ts";
import { beginEpisode, endEpisode, readRecentTimes, readStates } from "./repository.ts";
import { listeningSince, MAX_PER_LOOK, patienceOf } from "./silence.ts";

/** Notifications of one device and type within an hour: a device that plays mad fills no list. */
const MAX_PER_HOUR = 6;
const HOUR_MS = 60 * 60_000;

export interface AlertParts {
  readonly database: Database;
  readonly directory: DeviceDirectory;
  /** Devices can be heard, and what they say is stored. */
  readonly canHear: () => boolean;
  readonly outputs: Outputs;
  readonly mailer: Mailer;
  readonly publicUrl: string;
  readonly zone: ApiTimeZone;
  readonly clock: Clock;
  readonly logger: FastifyBaseLogger;
}

/** Watches over all devices, and notifies their owners. */
export interface Alerts {
  /** Reads what is known from before; to be called once `heard` is told of what comes. */
  load(): Promise<void>;
  /** Takes what was stored. */
  heard(batch: readonly Heard[]): void;
  /** Looks for silent devices and sends mails that are due. Never throws. */
  look(): Promise<void>;
  /** Resolves when everything noticed so far is stored; nothing is noticed any more. */
  stop(): Promise<void>;
}

interface Watched {
  state: AlertState;
  /** How long it may be silent, ms; null until somebody asks during a silence. */
  patience: number | null;
}

const patienceIn = ({ patience }: Watched): number => patience ?? patienceOf([]);

const silentSince = ({ heardAt }: AlertState, listening: number): number =>
  Math.max(heardAt ?? Number.POSITIVE_INFINITY, listening);

export function createAlerts(parts: AlertParts): Alerts {
  const { database, directory, outputs, zone, clock, logger } = parts;
  // Bounded by the devices that are registered here.
  const watched = new Map<string, Watched>();
  const raised = createCounter(clock, HOUR_MS);
  const presence = createDevicePresence(parts);
  let listening = clock.now();
  let lookedAt = clock.now();
  let looking: Promise<void> | null = null;
  let writing: Promise<void> = Promise.resolve();
  let isStopped = false;

  async function begin(deviceId: string, type: NotificationType, value: number): Promise<void> {
    const now = clock.now();
    const told = await database.transaction(async (tx) => {
      const subject = await beginEpisode(tx, deviceId, type, now);
      if (!subject) return null;
      const { accountId, name, wantsMail } = subject;
      const message = sentenceOf(type, name, value, subject);
      const notification = await insertNotification(tx, zone, { accountId, type, message, at: now });
      if (wantsMail) await addToDigest(tx, accountId, Number(notification.id), now);
      return { accountId, notification };
    });
    if (told) outputs.notification(told.accountId, told.notification);
  }

  /** The memory goes back to what is stored, so that the next message or look tries again. */
  function undo(deviceId: string, { type, begins }: Turn): void {
    const known = watched.get(deviceId);
    if (known) known.state = withOpen(known.state, type, !begins);
  }

  async function write(deviceId: string, turn: Turn): Promise<void> {
    try {
      if (turn.begins) await begin(deviceId, turn.type, turn.value);
      else await endEpisode(database, deviceId, turn.type);
    } catch (error) {
      logger.warn({ err: error, deviceId, type: turn.type }, "a notification was not stored; tried again");
      undo(deviceId, turn);
    }
  }

  function take(deviceId: string, known: Watched, { state, turns }: Judgement): void {
    known.state = state;
    for (const turn of turns) {
      if (turn.begins && raised.refuses(`${deviceId} ${turn.type}`, MAX_PER_HOUR) !== null) {
        undo(deviceId, turn);
        continue;
      }
      // One after another: an end must not overtake its beginning. No message waits for it.
      writing = writing.then(() => write(deviceId, turn));
    }
  }

  function watch(deviceId: string): Watched {
    const known = watched.get(deviceId) ?? { state: NEVER_HEARD, patience: null };
    watched.set(deviceId, known);
    return known;
  }

  /** Devices that are silent for as long as they may be, as far as that is known. */
  function silentNow(now: number): [string, Watched][] {
    const silent: [string, Watched][] = [];
    for (const [id, known] of watched) {
      if (!directory.byId(id)) watched.delete(id);
      else if (!known.state.open.DEVICE && now - silentSince(known.state, listening) >= patienceIn(known)) {
        silent.push([id, known]);
        if (silent.length >= MAX_PER_LOOK) break;
      }
    }
    return silent;
  }

  async function lookForSilent(now: number): Promise<void> {
    const silent = silentNow(now);
    const unknown = silent.filter(([, { patience }]) => patience === null).map(([id]) => id);
    if (unknown.length > 0) {
      const times = await readRecentTimes(database, unknown, now);
      for (const id of unknown) {
        const known = watched.get(id);
        if (known) known.patience = patienceOf(times.get(id) ?? []);
      }
    }
    for (const [id, known] of silent) {
      // It may have been heard while the database was asked.
      const offlineAt = silentSince(known.state, listening) + patienceIn(known);
      if (now < offlineAt) continue;
      presence.silent(id, offlineAt);
      take(id, known, fallSilent(known.state));
    }
    await writing;
  }

  async function lookOnce(): Promise<void> {
    const now = clock.now();
    const canHear = parts.canHear();
    listening = listeningSince(listening, lookedAt, now, canHear);
    lookedAt = now;
    try {
      await lookForSilent(now);
      await presence.store(canHear);
      await postDigests(parts, now);
    } catch (error) {
      logger.warn({ err: error }, "devices could not be looked after; tried again in a minute");
    }
  }

  return {
    async load() {
      await presence.load();
      for (const [id, state] of await readStates(database)) {
        const known = watched.get(id);
        // What came meanwhile is newer than what was read; only the episodes are not in it.
        if (known) known.state = { ...known.state, open: state.open };
        else watched.set(id, { state, patience: null });
      }
    },
    heard(batch) {
      if (isStopped) return;
      const now = clock.now();
      presence.heard(batch);
      for (const one of batch) {
        const known = watch(one.deviceId);
        known.patience = null;
        take(one.deviceId, known, hear(known.state, one, now));
      }
    },
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
        logger.warn({ err: error }, "what was learned of devices was not stored");
      });
    },
  };
}
