import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { type AccessEnd, AccessEnds } from "../src/access/access-ends.ts";
import { createCapturedLog } from "./captured-log.ts";
import { createFakeUpstream } from "./fake-upstream.ts";

/** Ends of access in front of a farm API that reports none, and what was ended through them, as `kind account`. */
export function createRecordedEnds(): { readonly ends: AccessEnds; readonly seen: string[] } {
  const clock = createFakeClock();
  const ends = new AccessEnds({
    client: createFakeUpstream(),
    relayKey: () => undefined,
    clock,
    timers: createFakeTimers(clock),
    log: createCapturedLog(),
  });
  const seen: string[] = [];
  ends.onEnd((end) => void seen.push(describeEnd(end)));
  return { ends, seen };
}

/** Return an end as `kind account`, with the accounts' times where it has them. */
export function describeEnd(end: AccessEnd): string {
  if (end.kind !== "earlier-passwords") return `${end.kind} ${end.accountId}`;
  return [...end.pairedBefore]
    .map(([id, at]) => `${end.kind} ${id} ${new Date(at).toISOString()}`)
    .join("; ");
}
