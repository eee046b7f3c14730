import type { RelayAuditEntry } from "@mulkko/shared/rest/admin";
import { relayAudit } from "@mulkko/shared/rest/operations/relay-calls";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { LRUCache } from "lru-cache";
import Type from "typebox";
import type { Log } from "../runtime/log.ts";
import type { UpstreamClient } from "./client.ts";
import { UpstreamError, UpstreamStatusError } from "./errors.ts";
import type { RelayKey } from "./relay-key.ts";

/** The log of what administrators do through the relay (HS-2). */
export interface AuditTrail {
  /** Record an action. Never throws and never waits: the action has already happened. */
  record(entry: Omit<RelayAuditEntry, "at">): void;
  /** Record that an administrator reads another account; half an hour of reading makes one entry. */
  readAs(administrator: RelayAuditEntry["actor"], accountId: string): void;
}

/** ms during which continued reading of the same account is recorded once. */
const ONE_READING_MS = 30 * 60_000;
/** Upper bound of remembered readings; an evicted one is recorded again. */
const READINGS = 1_000;
/** Upper bound of entries that wait for an unavailable farm API. */
const WAITING = 1_000;
const AGAIN_MS = 30_000;
/**
 * Answers about the entry itself: it can never be stored. Any other one, such as a refused key or a wrong page of a
 * proxy, may be another one later.
 */
const OF_THE_ENTRY: ReadonlySet<number> = new Set([400, 404, 409, 413, 422]);

/**
 * Send the actions of administrators to the farm API (extension `relay-audit`), in order, with retries while
 * it is unavailable. The caller also writes them to the relay's log, which is the only record if no API
 * accepts entries.
 */
export function createAuditTrail(deps: {
  client: Pick<UpstreamClient, "send">;
  relayKey: RelayKey;
  clock: Clock;
  timers: Timers;
  log: Log;
}): AuditTrail & { close(): void } {
  const { client, clock, timers, log } = deps;
  const readings = new LRUCache<string, number>({ max: READINGS });
  const waiting: RelayAuditEntry[] = [];
  let sending = false;
  let again: ReturnType<Timers["after"]> | undefined;

  const send = async (relayKey: string): Promise<void> => {
    if (sending) return;
    sending = true;
    again?.cancel();
    for (let entry = waiting[0]; entry !== undefined; entry = waiting[0]) {
      try {
        await client.send(relayAudit, Type.Unknown(), {
          headers: { relayKey },
          json: entry,
          unit: "audit",
        });
        waiting.shift();
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        if (error instanceof UpstreamStatusError && OF_THE_ENTRY.has(error.status)) {
          waiting.shift();
          log.warn({ event: "audit-entry-refused", err: error, entry }, "farm API refused audit entry");
        } else {
          again = timers.after(AGAIN_MS, () => start(relayKey));
          break;
        }
      }
    }
    sending = false;
  };
  const start = (relayKey: string): void => {
    send(relayKey).catch((error: unknown) => {
      sending = false;
      log.error({ event: "audit-failed", err: error }, "failed to send audit entries");
    });
  };

  const record: AuditTrail["record"] = (entry) => {
    const key = deps.relayKey("relay-audit");
    if (key === undefined) return;
    if (waiting.length >= WAITING) {
      log.error(
        { event: "audit-overflow", entry: waiting.shift() },
        "audit queue full, dropped oldest entry",
      );
    }
    waiting.push({ ...entry, at: new Date(clock.now()).toISOString() });
    start(key);
  };
  return {
    record,
    readAs({ id, username }, accountId) {
      const reading = JSON.stringify([id, accountId]);
      const now = clock.monotonic();
      const before = readings.get(reading);
      if (before !== undefined && now - before < ONE_READING_MS) return;
      readings.set(reading, now);
      record({ actor: { id, username }, action: "account-read", subject: { kind: "user", id: accountId } });
    },
    close: () => again?.cancel(),
  };
}
