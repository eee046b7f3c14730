import { DatabaseError, type Queryable, UNIQUE_VIOLATION } from "../database/database.ts";
import { ApiError } from "../http/api-error.ts";

/** Common fields of sensors and controllers. */
export interface DeviceFacts {
  readonly serial: number;
  /** Identifier at a network server. */
  readonly externalId: string | null;
  /** The decoder of its messages; null: native. */
  readonly profile: string | null;
}

async function unique<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== UNIQUE_VIOLATION) throw error;
    const field = error.message.includes("device_external_id") ? "externalId" : "serial";
    throw new ApiError(409, "conflict", `another device uses this ${field}`, { field });
  }
}

/** Refuse a serial or external id of a device in the trash. @throws ApiError 409 `in-trash` */
async function refuseTrashed(tx: Queryable, { serial, externalId }: DeviceFacts): Promise<void> {
  const [row] = await tx.query<{ serial: number }>(
    `select serial from device join account on account.id = account_id
     where deleted_at is not null and (serial = $1 or lower(external_id) = lower($2)) limit 1`,
    [serial, externalId],
  );
  if (!row) return;
  const field = row.serial === serial ? "serial" : "externalId";
  throw new ApiError(409, "in-trash", `a device in the trash uses this ${field}`, {
    field,
  });
}

/**
 * Refuse one more device of an account (SHARE-6). Runs in the transaction that inserts it.
 *
 * @throws ApiError 409 `device-limit`
 */
export async function refuseTooMany(tx: Queryable, accountId: string, most: number): Promise<void> {
  await tx.query("select 1 from account where id = $1 for update", [accountId]);
  const [found] = await tx.query<{ count: number }>(
    "select count(*) as count from device where account_id = $1",
    [accountId],
  );
  if ((found?.count ?? 0) < most) return;
  throw new ApiError(409, "device-limit", `an account may register ${most} devices`);
}

/** Return null for an empty text. */
export const textOrNull = (text: string | null | undefined): string | null => text?.trim() || null;

/** Return the name of a decoder, or null for none. @throws ApiError 422 for an unknown decoder */
export function profileOf(
  name: string | null | undefined,
  profiles: { has(name: string): boolean },
): string | null {
  const profile = textOrNull(name);
  if (profile === null || profiles.has(profile)) return profile;
  throw new ApiError(422, "validation", "unknown profile", { field: "profile" });
}

/**
 * Insert a device; runs in the transaction that inserts its sensor or controller.
 *
 * @param now ms since 1970 UTC
 * @throws ApiError 409 for a serial or external id of an existing device
 */
export async function insertDevice(
  tx: Queryable,
  device: DeviceFacts & {
    readonly id: string;
    readonly kind: "sensor" | "controller";
    readonly accountId: string;
    readonly keyHash: Uint8Array;
  },
  now: number,
): Promise<void> {
  await refuseTrashed(tx, device);
  await unique(
    tx.query(
      `insert into device (id, serial, kind, account_id, key_hash, external_id, profile, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        device.id,
        device.serial,
        device.kind,
        device.accountId,
        device.keyHash,
        device.externalId,
        device.profile,
        new Date(now),
      ],
    ),
  );
}

/** @throws ApiError 409 for a serial or external id of another device */
export async function updateDevice(tx: Queryable, id: string, device: DeviceFacts): Promise<void> {
  await refuseTrashed(tx, device);
  await unique(
    tx.query("update device set serial = $2, external_id = $3, profile = $4 where id = $1", [
      id,
      device.serial,
      device.externalId,
      device.profile,
    ]),
  );
}

/** Delete a device with all its stored data. */
export async function deleteDevice(database: Queryable, id: string): Promise<void> {
  await database.query("delete from device where id = $1", [id]);
}

export async function replaceKey(database: Queryable, id: string, keyHash: Uint8Array): Promise<void> {
  await database.query("update device set key_hash = $2 where id = $1", [id, keyHash]);
}
