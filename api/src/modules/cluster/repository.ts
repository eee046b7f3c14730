import type { Farm } from "@mulkko/shared/entities/farm";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import { DatabaseError, type Queryable, UNIQUE_VIOLATION } from "../../database/database.ts";
import { ApiError, notFound } from "../../http/api-error.ts";
import { listSensors } from "../sensor/repository.ts";

/** Most farms of one account in a list. */
const MAX_LISTED = 1_000;

interface ClusterRow {
  id: number;
  name: string;
  description: string;
  /** ms UTC; null of a farm that was made before this was kept. */
  created_at: number | null;
}

/** An account's farms with their sensors: all, or the one with `id`. */
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
 * Makes a farm and moves sensors of the account into it. Runs in a transaction.
 *
 * @throws ApiError 409 for a name that the account has, 404 for a sensor that it has not
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

/** @throws ApiError 404 for a farm that the account has not, 409 for a name that another of its farms has */
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

/** Deletes a farm; its devices stay, without one. @throws ApiError 404 for a farm that the account has not */
export async function deleteFarm(database: Queryable, accountId: string, id: number): Promise<void> {
  const rows = await database.query("delete from cluster where id = $1 and account_id = $2 returning id", [
    id,
    accountId,
  ]);
  if (rows.length === 0) throw notFound("farm");
}

/**
 * The farm that a device may be put into.
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
