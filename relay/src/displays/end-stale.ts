import { OutChanged } from "@mulkko/shared/mqtt/out-messages";
import type { AccessChange, AccessChanges } from "@mulkko/shared/rest/access-changes";
import type { Clock } from "@mulkko/shared/rules/clock";
import { parsePayload, type ReceivedMessage } from "../account/mqtt.ts";
import type { WatchService } from "../upstream/account-sessions.ts";
import type { TokenProver } from "../upstream/tokens.ts";
import type { Displays } from "./displays.ts";

/** A change of an account that may have ended tokens, as the farm API reports it. */
type Reported = Pick<AccessChange, "entity"> & {
  readonly accountId: string;
  /** How long before its report it was made, ms; null for a message, which has no time. */
  readonly ageMs: number | null;
};

/** Age up to which all displays of an account were paired before its password was changed, ms. */
const NEWS_MS = 15_000;

/** Return the access change that a message of the farm API reports; null for any other message. */
export function accessChangeOf(message: ReceivedMessage): Reported | null {
  const { topic } = message;
  if (topic.kind !== "changed") return null;
  const changed = parsePayload(OutChanged, message);
  if (!changed.ok) return null;
  const { entity } = changed.value;
  return entity === "account" || entity === "password"
    ? { accountId: topic.userId, entity, ageMs: null }
    : null;
}

/**
 * Check an account that the farm API reports as changed, through this relay or not (AUTH-4): its sessions may
 * have ended, or it may be suspended. Another password ends the displays that were paired before it: a report may have
 * waited on its way, and a message has no time, so that it counts only where no poll names one.
 *
 * @param deps.isPolled true while the poll of these changes is answered
 */
export function endStale(
  { accountId, entity, ageMs }: Reported,
  deps: {
    readonly clock: Clock;
    readonly isPolled: () => boolean;
    readonly prover: Pick<TokenProver, "doubt">;
    readonly displays: Pick<Displays, "revokeOf" | "revokePairedBefore">;
    readonly watch: Pick<WatchService, "request">;
    readonly onError: (error: unknown) => void;
  },
): void {
  deps.prover.doubt(accountId);
  if (entity === "account") return;
  if (ageMs === null ? !deps.isPolled() : ageMs <= NEWS_MS) deps.displays.revokeOf(accountId);
  else if (ageMs !== null) deps.displays.revokePairedBefore(new Map([[accountId, deps.clock.now() - ageMs]]));
  deps.watch.request(accountId, "password-changed").catch(deps.onError);
}

/** ms for which another node's proof, or one from before a restart, may be valid. */
const DOUBTED_MS = 1_800_000;

/**
 * Apply the farm API's first report, which may be years old. Doubt the changes of the last half hour, and end
 * displays that were paired before their account's last password. The report is by the API's clock, a pairing by ours.
 *
 * @param now arrival of the report, ms UTC
 */
export function endStaleSince(
  { at, changes }: AccessChanges,
  now: number,
  deps: {
    readonly prover: Pick<TokenProver, "doubt">;
    readonly displays: Pick<Displays, "revokePairedBefore">;
  },
): void {
  const passwords = new Map<string, number>();
  const answeredAt = Date.parse(at);
  // A change in the API's future is of before its clock was set back: the present difference does not hold for it.
  const aheadAt = (changedAt: number): number => (changedAt > answeredAt ? 0 : answeredAt - now);
  for (const { userId, entity, at: changedAt } of changes) {
    const accountId = String(userId);
    const date = Date.parse(changedAt);
    if (entity === "password") passwords.set(accountId, date - aheadAt(date));
    if (answeredAt - date < DOUBTED_MS) deps.prover.doubt(accountId);
  }
  if (passwords.size > 0) deps.displays.revokePairedBefore(passwords);
}
