import { type AccessChange, AccessChanges } from "@mulkko/shared/rest/access-changes";
import { relayAccess } from "@mulkko/shared/rest/operations/relay-calls";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import type { Log } from "../runtime/log.ts";
import type { UpstreamClient } from "./client.ts";
import { type RelayKey, repeatWithKey } from "./relay-key.ts";

/** A change with its age at the arrival of the answer, ms. */
interface AgedChange extends AccessChange {
  readonly ageMs: number;
}

/** Polls the farm API for accounts whose tokens may have ended (AUTH-5). */
export interface AccessPoll {
  /** True while the farm API answers, so a token without a reported change may be trusted. */
  readonly isAnswering: boolean;
  close(): void;
}

/** Poll interval, ms. */
const ASK_EVERY_MS = 5_000;
const TIMEOUT_MS = 4_000;
/** ms since the last answer after which the API counts as silent. */
const SILENT_AFTER_MS = 12_000;
/** Enough for twenty thousand changes. */
const LIMIT_BYTES = 4 * 1024 * 1024;

/**
 * Poll a farm API with the extension `relay-access` every five seconds for accounts whose tokens may have
 * ended since the last answer.
 *
 * @param deps.onFirst called once with the last change of every account, however old
 * @param deps.onChanges called with the changes since the last answer
 */
export function pollAccess(deps: {
  client: Pick<UpstreamClient, "get">;
  relayKey: RelayKey;
  clock: Clock;
  timers: Timers;
  log: Log;
  onFirst: (answer: AccessChanges) => void;
  onChanges: (changes: readonly AgedChange[]) => void;
}): AccessPoll {
  const { client, relayKey, clock, timers, log, onFirst, onChanges } = deps;
  let since: string | null = null;
  /** Dates of the changes of every answer, by account and kind: an API whose clock was set back answers all again. */
  const known = new Map<string, string>();
  let lastSeenAt = Number.NEGATIVE_INFINITY;

  const apply = (answer: AccessChanges): void => {
    const isFirst = since === null;
    const keyOf = ({ userId, entity }: AccessChange): string => `${userId} ${entity}`;
    const fresh = answer.changes.filter((change) => known.get(keyOf(change)) !== change.at);
    for (const change of fresh) known.set(keyOf(change), change.at);
    since = answer.at;
    if (isFirst) onFirst(answer);
    else if (fresh.length > 0) {
      const gapMs = clock.monotonic() - lastSeenAt;
      const ageOf = ({ at }: AccessChange): number => Date.parse(answer.at) - Date.parse(at);
      // It was not in the last answer: a clock that was set meanwhile makes it no older than that.
      onChanges(fresh.map((change) => ({ ...change, ageMs: Math.max(0, Math.min(ageOf(change), gapMs)) })));
    }
  };
  const ask = async (key: string): Promise<void> => {
    const began = clock.monotonic();
    const answer = await client.get(relayAccess.path, AccessChanges, {
      headers: { relayKey: key },
      ...(since !== null && { query: { since } }),
      limits: { ms: TIMEOUT_MS, bytes: LIMIT_BYTES },
      unit: "access",
    });
    apply(answer);
    lastSeenAt = began;
  };
  const poll = repeatWithKey("relay-access", ASK_EVERY_MS, ask, {
    relayKey,
    timers,
    // The link monitor reports an unavailable API; the next answer contains the missed changes.
    onError: (error) => log.debug({ event: "access-poll-failed", err: error }, "failed to poll ended tokens"),
  });

  return {
    get isAnswering() {
      return clock.monotonic() - lastSeenAt < SILENT_AFTER_MS;
    },
    close: poll.close,
  };
}
