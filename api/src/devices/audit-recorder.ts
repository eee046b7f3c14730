import type { Clock } from "@mulkko/shared/rules/clock";
import type { FastifyRequest } from "fastify";
import type { Caller } from "../accounts/auth.ts";
import { changedOnly, recordAuditEntry, type Values } from "../audit/repository.ts";
import type { Queryable } from "../database/database.ts";
import { mustMatch } from "../http/version.ts";
import type { KnownDevice } from "./device-index.ts";

/** Run a change and write its audit entry in the same transaction. */
export type AuditRecorder = (tx: Queryable, change: () => Promise<void>) => Promise<void>;

/** Record nothing: changes to one's own devices are not audited. */
const withoutAudit: AuditRecorder = (_tx, change) => change();

/** A device in an audit entry. */
export interface Audited {
  /** Its name; its serial where it has none. */
  readonly name: string;
  readonly values: Values;
}

/** Read a device for the audit. @throws ApiError 404 */
export type ReadAuditSnapshot = (tx: Queryable, id: string) => Promise<Audited>;

interface Seen {
  readonly device: Pick<KnownDevice, "id" | "kind">;
  /** `{subject}-{verb}`; after an action of its own kind that ends in `-delete` there is nothing to read. */
  readonly action: string;
  readonly read: ReadAuditSnapshot;
  readonly clock: Clock;
}

/** Record the actor and the changes. */
export function auditRecorderOf(
  { account: actor }: Caller,
  { device, action, read, clock }: Seen,
): AuditRecorder {
  const { id, kind } = device;
  return async (tx, change) => {
    const before = await read(tx, id);
    await change();
    const after = action === `${kind}-delete` ? null : await read(tx, id);
    const values = after === null ? { before: before.values } : changedOnly(before.values, after.values);
    const subject = { kind, id, name: (after ?? before).name };
    await recordAuditEntry(tx, { actor, action, subject, ...values }, clock.now());
  };
}

/** Record changes to another account's device only: only administrators can make them. */
export function foreignAuditRecorder(
  caller: Caller,
  seen: Seen & { readonly device: Pick<KnownDevice, "accountId"> },
): AuditRecorder {
  return caller.account.id === seen.device.accountId ? withoutAudit : auditRecorderOf(caller, seen);
}

/**
 * Refuse the change where the device differs from what the caller saw, before it is made and recorded.
 *
 * @param version the stored version, read in the transaction of the change
 * @throws ApiError 412
 */
export const matching =
  (
    request: FastifyRequest,
    version: (tx: Queryable) => Promise<string | null | undefined>,
    then: AuditRecorder,
  ): AuditRecorder =>
  async (tx, change) => {
    if (request.headers["if-match"] !== undefined) mustMatch(request, await version(tx));
    await then(tx, change);
  };
