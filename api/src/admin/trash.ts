import type { TrashedUser } from "@mulkko/shared/rest/admin-user";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import { revokeAllSessions } from "../accounts/sessions.ts";
import type { Database, Queryable } from "../database/database.ts";
import { deleteDevice } from "../devices/enrol.ts";
import { notFound } from "../http/api-error.ts";
import { thinOutSensor } from "../sensors/registry.ts";

/** Delete the readings of an account's sensors except a last slice of each. @param slice rows at a time */
export async function thinOutReadings(database: Database, accountId: string, slice?: number): Promise<void> {
  const sensors = await database.query<{ id: string }>(
    "select sensor.id from sensor join device using (id) where account_id = $1",
    [accountId],
    "history",
  );
  for (const { id } of sensors) await thinOutSensor(database, id, slice);
}

/** Time in which a deleted account can be restored, ms. */
const KEPT_MS = 30 * 86_400_000;
/** Most listed accounts in the trash. */
const MAX_LISTED = 1_000;

/**
 * Put an account into the trash. Its sessions and recovery links end. The broker refuses its devices after
 * the next reload of the device index. Its data, name and serials stay.
 *
 * @param now ms since 1970 UTC
 * @returns the serials of its devices
 */
export async function trashUser(tx: Queryable, id: string, now: number): Promise<number[]> {
  await tx.query("update account set deleted_at = $2 where id = $1", [id, new Date(now)]);
  await revokeAllSessions(tx, id, null, now);
  await tx.query("delete from recovery where account_id = $1", [id]);
  const devices = await tx.query<{ serial: number }>("select serial from device where account_id = $1", [id]);
  return devices.map(({ serial }) => serial);
}

interface TrashRow {
  id: string;
  username: string;
  nickname: string;
  device_count: number;
  deleted_at: number;
}

/** List deleted accounts, newest first. */
export async function listTrash(database: Queryable, zone: ApiTimeZone): Promise<TrashedUser[]> {
  const rows = await database.query<TrashRow>(
    `select id, username, nickname, deleted_at,
       (select count(*) from device where device.account_id = account.id) as device_count
     from account where deleted_at is not null order by deleted_at desc, username limit $1`,
    [MAX_LISTED],
  );
  return rows.map((row) => ({
    id: row.id,
    username: row.username,
    nickname: row.nickname,
    deviceCount: row.device_count,
    deletedDate: zone.toApi(row.deleted_at),
    purgeDate: zone.toApi(row.deleted_at + KEPT_MS),
  }));
}

/** Take an account out of the trash. @returns its user name @throws ApiError 404 */
export async function restoreUser(tx: Queryable, id: string): Promise<string> {
  const [row] = await tx.query<{ username: string }>(
    "update account set deleted_at = null where id = $1 and deleted_at is not null returning username",
    [id],
  );
  if (!row) throw notFound("user");
  return row.username;
}

/** A device that was deleted for good. */
export interface FreedDevice {
  readonly id: string;
  readonly kind: "sensor" | "controller";
  /** User name of its account. */
  readonly username: string;
}

/**
 * Delete a device of an account in the trash for good, with its readings.
 *
 * @param deleted records it, in the transaction that deletes it
 * @throws ApiError 404 where the trash has no such serial
 */
export async function freeSerial(
  database: Database,
  serial: number,
  deleted: (tx: Queryable, device: FreedDevice) => Promise<void>,
): Promise<void> {
  const find = async (from: Queryable): Promise<FreedDevice> => {
    const [device] = await from.query<{ id: string; kind: FreedDevice["kind"]; username: string }>(
      `select device.id, kind, username from device join account on account.id = account_id
       where serial = $1 and deleted_at is not null`,
      [serial],
    );
    if (!device) throw notFound("serial in the trash");
    return device;
  };
  await thinOutSensor(database, (await find(database)).id);
  await database.transaction(async (tx) => {
    // Its account may have been restored meanwhile.
    const device = await find(tx);
    await deleteDevice(tx, device.id);
    await deleted(tx, device);
  });
}

/** Delete accounts permanently after 30 days in the trash, with their devices and readings. */
export async function purgeTrash(database: Database, now: number): Promise<void> {
  const before = new Date(now - KEPT_MS);
  const rows = await database.query<{ id: string }>("select id from account where deleted_at < $1", [before]);
  for (const { id } of rows) {
    await thinOutReadings(database, id);
    // It may have been restored meanwhile.
    await database.query("delete from account where id = $1 and deleted_at < $2", [id, before]);
  }
}
