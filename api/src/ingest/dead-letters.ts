import type { RejectReason } from "@mulkko/shared/rest/dead-letter";
import type { Timers } from "@mulkko/shared/rules/clock";
import { repeat } from "@mulkko/shared/server/node-timers";
import type { FastifyBaseLogger } from "fastify";
import { type Database, failureOf } from "../database/database.ts";
import { cleanText } from "../decode/fields.ts";
import type { InMessage } from "../devices/broker.ts";
import type { KnownDevice } from "../devices/device-index.ts";

/** Most stored letters; older ones are deleted. */
export const MAX_DEAD_LETTERS = 10_000;
/** Most letters between two writes; more are counted, but not stored. */
const MAX_PENDING = 1_000;
/** Most letters of one device, so that a faulty one does not displace those of others. */
export const MAX_DEVICE_LETTERS = 200;
const MAX_PAYLOAD = 1_024;
const MAX_TOPIC = 256;
const FLUSH_MS = 1_000;
/** Most letters in a line of the log that reports them as lost. */
const MAX_LOGGED = 20;

/** A rejected message, or a rejected field of one. */
export interface DeadLetter {
  /** Arrival of the message, ms since 1970 UTC; the same for all faults of one message. */
  readonly at: number;
  readonly topic: string;
  /** The device that sent it; null where it is not registered. */
  readonly deviceId: string | null;
  readonly serial: string | null;
  readonly reason: RejectReason;
  readonly field: string | null;
  readonly payload: Uint8Array;
}

/** Record the faults of a message. `at` is its arrival, shared by all its faults. */
export type SetAside = (
  message: Pick<InMessage, "topic" | "payload">,
  reason: RejectReason,
  of?: {
    readonly field?: string | null;
    readonly device?: Pick<KnownDevice, "id" | "serial">;
    /** Set for an unregistered serial. */
    readonly serial?: string;
    readonly at?: number;
  },
) => void;

/** Count rejected messages, and store the newest for administrators. */
export interface DeadLetters {
  add(letter: DeadLetter): void;
  /**
   * Store a letter at once, instead of its message: the message may be acknowledged when this resolves.
   *
   * @throws DatabaseError during an outage
   */
  store(letter: DeadLetter): Promise<void>;
  /** Return the count of each reason since the process started. */
  counts(): Readonly<Partial<Record<RejectReason, number>>>;
  flush(): Promise<void>;
  stop(): Promise<void>;
}

interface PendingRow {
  readonly at: string;
  readonly topic: string;
  readonly device_id: string | null;
  readonly serial: string | null;
  readonly reason: RejectReason;
  readonly field: string | null;
  readonly payload: string;
}

const INSERT = `
  insert into dead_letter (at, topic, device_id, serial, reason, field, payload)
  select at, topic, (select id from device where id = device_id), serial, reason, field, payload from json_to_recordset($1::json)
    as row (at timestamptz, topic text, device_id uuid, serial text, reason text, field text, payload text)`;
const TRIM = "delete from dead_letter where id <= (select max(id) from dead_letter) - $1::bigint";

const TRIM_DEVICES = `
  delete from dead_letter where id in
    (select id from (select id, row_number() over (partition by device_id order by id desc) as place
                     from dead_letter where device_id = any($1::uuid[])) as ranked where place > $2)`;

/** Return text that a database accepts: no NUL, no broken surrogates, a bounded length. */
const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.subarray(0, MAX_PAYLOAD)).toString("utf8").replaceAll("\0", "\uFFFD");

function rowOf({ at, topic, deviceId, serial, reason, field, payload }: DeadLetter): PendingRow {
  return {
    at: new Date(at).toISOString(),
    device_id: deviceId,
    topic: cleanText(topic, MAX_TOPIC),
    serial,
    reason,
    field,
    payload: textOf(payload),
  };
}

export function createDeadLetters(
  database: Database,
  timers: Timers,
  logger: FastifyBaseLogger,
): DeadLetters {
  const counts: Partial<Record<RejectReason, number>> = {};
  let pending: PendingRow[] = [];

  const insert = async (rows: readonly PendingRow[]): Promise<void> => {
    await database.query(INSERT, [JSON.stringify(rows)]);
    const devices = [...new Set(rows.flatMap(({ device_id: id }) => (id === null ? [] : [id])))];
    if (devices.length > 0) await database.query(TRIM_DEVICES, [devices, MAX_DEVICE_LETTERS]);
    await database.query(TRIM, [MAX_DEAD_LETTERS]);
  };
  const logLost = (err: unknown, rows: readonly PendingRow[]): void =>
    logger.warn(
      { event: "dead-letter-store-failed", err, lost: rows.length, letters: rows.slice(0, MAX_LOGGED) },
      "cannot store dead letters",
    );
  const flushNow = async (): Promise<void> => {
    const rows = pending;
    pending = [];
    try {
      await insert(rows);
    } catch (error) {
      if (failureOf(error) === "row") logLost(error, rows);
      // The letters before those that arrived meanwhile; as many as there is room for.
      else pending = [...rows, ...pending].slice(0, MAX_PENDING);
    }
  };
  let flushing: Promise<void> | undefined;
  const flush = async (): Promise<void> => {
    await flushing;
    if (pending.length === 0) return;
    flushing = flushNow().finally(() => {
      flushing = undefined;
    });
    await flushing;
  };
  const regularly = repeat(timers, FLUSH_MS, () => void flush());

  return {
    add(letter) {
      counts[letter.reason] = (counts[letter.reason] ?? 0) + 1;
      if (pending.length < MAX_PENDING) pending.push(rowOf(letter));
    },
    async store(letter) {
      const row = rowOf(letter);
      try {
        await insert([row]);
      } catch (error) {
        if (failureOf(error) !== "row") throw error;
        logLost(error, [row]);
      }
      counts[letter.reason] = (counts[letter.reason] ?? 0) + 1;
    },
    counts: () => ({ ...counts }),
    flush,
    async stop() {
      regularly.cancel();
      await flush();
      if (pending.length > 0) logLost(undefined, pending);
    },
  };
}
