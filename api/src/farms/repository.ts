import type { Farm } from "@mulkko/shared/entities/farm";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import { DatabaseError, type Queryable, UNIQUE_VIOLATION } from "../database/database.ts";
import { listSensors } from "../devices/sensor-repository.ts";
import { ApiError, notFound } from "../http/api-error.ts";
import { versionOf } from "../http/version.ts";

/** Most listed farms of one account. */
const MAX_LISTED = 1_000;

interface ClusterRow {
  id: number;
  name: string;
  description: string;
  /** ms UTC; null for a farm older than this column. */
  created_at: number | null;
}

/** Return the version of a farm's editable fields. */
const farmVersion = ({ name, description }: Pick<ClusterRow, "name" | "description">): string =>
  versionOf([name, description]);

/**
 * Return the version of a farm and lock it until the end of the transaction; undefined where the account has
 * no such farm.
 */
export async function lockedFarmVersion(
  tx: Queryable,
  accountId: string,
  id: number,
): Promise<string | undefined> {
  const [row] = await tx.query<ClusterRow>(
    "select * from cluster where id = $1 and account_id = $2 for update",
    [id, accountId],
  );
  return row && farmVersion(row);
}

/** List an account's farms with their sensors: all, or the one with `id`. */
export async function listFarms(
  database: Queryable,
  zone: ApiTimeZone,
  accountId: string,
  id: number | null = null,
): Promise<Farm[]> {
  const farms = await database.query<ClusterRow>(
    `select id, name, description, created_at from cluster
     where account_id = $1 and ($2::int is null or id = $2) order by id limit $3`,
    [accountId, id, MAX_LISTED],
  );
  const sensors = farms.length > 0 ? await listSensors(database, zone, accountId) : [];
  return farms.map(({ created_at, ...farm }) => ({
    ...farm,
    createdDate: created_at === null ? null : zone.toApi(created_at),
    version: farmVersion(farm),
    sensors: sensors.filter(({ clusterId }) => clusterId === farm.id),
  }));
}

async function named<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== UNIQUE_VIOLATION) throw error;
    throw new ApiError(409, "conflict", "this name already exists", { field: "name" });
  }
}

/**
 * Create a farm and move sensors of the account into it. Runs in a transaction.
 *
 * @throws ApiError 409 for a duplicate name in the account, 404 for a sensor of another account
 */
export async function insertFarm(
  tx: Queryable,
  accountId: string,
  farm: { readonly name: string; readonly description: string; readonly sensorIds: readonly string[] },
): Promise<number> {
  const [row] = await named(
    tx.query<{ id: number }>(
      "insert into cluster (account_id, name, description) values ($1, $2, $3) returning id",
      [accountId, farm.name, farm.description],
    ),
  );
  if (!row) throw notFound("farm");
  const sensorIds = [...new Set(farm.sensorIds)];
  const moved = await tx.query(
    `update sensor set cluster_id = $1 from device
     where device.id = sensor.id and device.account_id = $2 and sensor.id = any($3::uuid[]) returning sensor.id`,
    [row.id, accountId, sensorIds],
  );
  if (moved.length < sensorIds.length) throw notFound("sensor");
  return row.id;
}

/** @throws ApiError 404 for a farm of another account, 409 for the name of another farm of the account */
export async function updateFarm(
  database: Queryable,
  accountId: string,
  farm: { readonly id: number; readonly name: string; readonly description: string | null },
): Promise<void> {
  const rows = await named(
    database.query(
      `update cluster set name = $3, description = coalesce($4, description)
       where id = $1 and account_id = $2 returning id`,
      [farm.id, accountId, farm.name, farm.description],
    ),
  );
  if (rows.length === 0) throw notFound("farm");
}

/** Delete a farm; its devices stay, without a farm. @throws ApiError 404 for a farm of another account */
export async function deleteFarm(database: Queryable, accountId: string, id: number): Promise<void> {
  const rows = await database.query("delete from cluster where id = $1 and account_id = $2 returning id", [
    id,
    accountId,
  ]);
  if (rows.length === 0) throw notFound("farm");
}

/**
 * Return the farm for a device.
 *
 * @param clusterId 0 or null: none
 * @throws ApiError 404 where the account has no such farm
 */
export async function farmOfAccount(
  database: Queryable,
  accountId: string,
  clusterId: number | null,
): Promise<number | null> {
  if (clusterId === null || clusterId === 0) return null;
  const rows = await database.query("select id from cluster where id = $1 and account_id = $2", [
    clusterId,
    accountId,
  ]);
  if (rows.length === 0) throw notFound("farm");
  return clusterId;
}
