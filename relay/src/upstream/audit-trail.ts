import type { RelayDeed } from "@mulkko/shared/rest/admin";
import { apiPath } from "@mulkko/shared/rest/routes";
import type { Clock } from "@mulkko/shared/rules/clock";
import Type from "typebox";
import type { AuditTrail } from "../ports/audit.ts";
import type { Log } from "../ports/log.ts";
import type { Timers } from "../ports/timers.ts";
import type { CapabilitySource } from "../ports/upstream.ts";
import type { UpstreamClient } from "./client.ts";
import { UpstreamError, UpstreamStatusError } from "./errors.ts";

/** ms in which an administrator who goes on reading the same account is not written down again. */
const ONE_READING_MS = 30 * 60_000;
/** Readings that are remembered; the oldest is written down again. */
const READINGS = 1_000;
/** Deeds that wait for a farm API that is away. */
const WAITING = 1_000;
const AGAIN_MS = 30_000;

/**
 * Tells the farm API what administrators did through the relay (extension `relay-audit`), in order, and again while
 * it is away. Whoever calls has a line in the relay's log besides: that is all there is where no API takes entries.
 *
 * @param parts.key the shared `RELAY_KEY`; without it nothing is told
 */
export function createAuditTrail(parts: {
  client: Pick<UpstreamClient, "post">;
  capabilities: CapabilitySource;
  clock: Clock;
  timers: Timers;
  key: string | undefined;
  log: Log;
}): AuditTrail & { close(): void } {
  const { client, capabilities, clock, timers, key, log } = parts;
  const readings = new Map<string, number>();
  const waiting: RelayDeed[] = [];
  let telling = false;
  let again: ReturnType<Timers["after"]> | undefined;

  const tell = async (relayKey: string): Promise<void> => {
    if (telling) return;
    telling = true;
    again?.cancel();
    for (let deed = waiting[0]; deed !== undefined; deed = waiting[0]) {
      try {
        await client.post(apiPath.relayAudit, Type.Unknown(), {
          headers: { relayKey },
          json: deed,
          unit: "audit",
        });
        waiting.shift();
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        if (error instanceof UpstreamStatusError && !error.temporary) {
          waiting.shift();
          log.warn({ err: error, deed }, "the farm API does not take an entry for its audit");
        } else {
          again = timers.after(AGAIN_MS, () => start(relayKey));
          break;
        }
      }
    }
    telling = false;
  };
  const start = (relayKey: string): void => {
    tell(relayKey).catch((error: unknown) => {
      telling = false;
      log.error({ err: error }, "what administrators did cannot be told");
    });
  };

  const record: AuditTrail["record"] = (deed) => {
    if (key === undefined || !capabilities.has("relay-audit")) return;
    if (waiting.length >= WAITING) {
      log.error(
        { deed: waiting.shift() },
        "too many entries wait for the farm API: the oldest is in this log alone",
      );
    }
    waiting.push({ ...deed, at: new Date(clock.now()).toISOString() });
    start(key);
  };
  return {
    record,
    readAs({ id, username }, accountId) {
      const reading = JSON.stringify([id, accountId]);
      const now = clock.monotonic();
      const before = readings.get(reading);
      if (before !== undefined && now - before < ONE_READING_MS) return;
      readings.delete(reading);
      readings.set(reading, now);
      const oldest = readings.keys().next().value;
      if (readings.size > READINGS && oldest !== undefined) readings.delete(oldest);
      record({ actor: { id, username }, action: "account-read", subject: { kind: "user", id: accountId } });
    },
    close: () => again?.cancel(),
  };
}
