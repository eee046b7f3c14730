import type { Clock } from "@mulkko/shared/rules/clock";
import type { FastifyBaseLogger } from "fastify";
import type { Database } from "../database/database.ts";
import { cleanText } from "./decode/clean-text.ts";
import type { RejectReason } from "./reject-reason.ts";

/** Most letters that are kept; older ones go. */
export const MAX_DEAD_LETTERS = 10_000;
/** Most letters between two writes; more are counted, and not kept. */
const MAX_PENDING = 1_000;
const MAX_PAYLOAD = 1_024;
const MAX_TOPIC = 256;
const FLUSH_MS = 1_000;

/** A message, or a field of one, that was not taken. */
export interface DeadLetter {
  readonly topic: string;
  readonly serial: string | null;
  readonly reason: RejectReason;
  readonly field: string | null;
  readonly payload: Uint8Array;
}

/** Counts what was not taken, and keeps the newest of it for people to look at. */
export interface DeadLetters {
  add(letter: DeadLetter): void;
  /** How many of each reason since the process started. */
  counts(): Readonly<Partial<Record<RejectReason, number>>>;
  flush(): Promise<void>;
  stop(): Promise<void>;
}

const INSERT = `
  insert into dead_letter (at, topic, serial, reason, field, payload)
  select at, topic, serial, reason, field, payload from json_to_recordset($1::json)
    as row (at timestamptz, topic text, serial text, reason text, field text, payload text)`;
const TRIM = "delete from dead_letter where id <= (select max(id) from dead_letter) - $1::bigint";

/** Text that a database takes: no NUL, no broken surrogates, a bounded length. */
const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.subarray(0, MAX_PAYLOAD)).toString("utf8").replaceAll("\0", "\uFFFD");

export function createDeadLetters(database: Database, clock: Clock, logger: FastifyBaseLogger): DeadLetters {
  const counts: Partial<Record<RejectReason, number>> = {};
  let pending: object[] = [];

  const flush = async (): Promise<void> => {
    if (pending.length === 0) return;
    const rows = pending;
    pending = [];
    try {
      await database.query(INSERT, [JSON.stringify(rows)]);
      await database.query(TRIM, [MAX_DEAD_LETTERS]);
    } catch (error) {
      logger.warn({ err: error, lost: rows.length }, "dead letters could not be kept");
    }
  };
  const timer = setInterval(() => void flush(), FLUSH_MS);
  timer.unref();

  return {
    add({ topic, serial, reason, field, payload }) {
      counts[reason] = (counts[reason] ?? 0) + 1;
      if (pending.length >= MAX_PENDING) return;
      const at = new Date(clock.now()).toISOString();
      pending.push({
        at,
        topic: cleanText(topic, MAX_TOPIC),
        serial,
        reason,
        field,
        payload: textOf(payload),
      });
    },
    counts: () => ({ ...counts }),
    flush,
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}
