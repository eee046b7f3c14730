import type { Clock } from "@mulkko/shared/rules/clock";
import type { FastifyRequest } from "fastify";
import type { Queryable } from "../../database/database.ts";
import type { KnownDevice } from "../../devices/directory.ts";
import { mustMatch } from "../../http/version.ts";
import type { Caller } from "../../plugins/auth.ts";
import { changedOnly, recordDeed, type Values } from "../audit/repository.ts";

/** Goes around a change in the transaction that makes it, and may remember it: both are kept, or neither. */
export type Witness = (tx: Queryable, change: () => Promise<void>) => Promise<void>;

/** Remembers nothing: what people do to their own is nobody's business. */
const blind: Witness = (_tx, change) => change();

/** A device as the audit remembers it. */
export interface Witnessed {
  /** What it is called; its serial where it has no name. */
  readonly name: string;
  readonly values: Values;
}

/** How a kind of device is read for the audit. @throws ApiError 404 */
export type ReadWitnessed = (tx: Queryable, id: string) => Promise<Witnessed>;

interface Seen {
  readonly device: Pick<KnownDevice, "id" | "kind">;
  /** `{subject}-{verb}`; what ends in `-delete` of its own kind leaves nothing to read afterwards. */
  readonly action: string;
  readonly read: ReadWitnessed;
  readonly clock: Clock;
}

/** Remembers who did it, and what it changed. */
export function witnessOf({ account: actor }: Caller, { device, action, read, clock }: Seen): Witness {
  const { id, kind } = device;
  return async (tx, change) => {
    const before = await read(tx, id);
    await change();
    const after = action === `${kind}-delete` ? null : await read(tx, id);
    const values = after === null ? { before: before.values } : changedOnly(before.values, after.values);
    const subject = { kind, id, name: (after ?? before).name };
    await recordDeed(tx, { actor, action, subject, ...values }, clock.now());
  };
}

/** The same of somebody else's device: only administrators can do anything to it. */
export function foreignWitness(
  caller: Caller,
  seen: Seen & { readonly device: Pick<KnownDevice, "accountId"> },
): Witness {
  return caller.account.id === seen.device.accountId ? blind : witnessOf(caller, seen);
}

/**
 * Refuse the change where the device is not as the caller saw it, before it is made and written down.
 *
 * @param version of what is stored, read in the transaction of the change
 * @throws ApiError 412
 */
export const matching =
  (
    request: FastifyRequest,
    version: (tx: Queryable) => Promise<string | null | undefined>,
    then: Witness,
  ): Witness =>
  async (tx, change) => {
    if (request.headers["if-match"] !== undefined) mustMatch(request, await version(tx));
    await then(tx, change);
  };
