import type { Database, Queryable } from "../database/database.ts";
import type { ImageStore } from "./store.ts";

/** Kinds of entities with an image. */
export type Pictured = "account" | "sensor" | "controller";

/** How long an unreferenced file stays, ms: its row may be about to be written. */
const ORPHAN_GRACE_MS = 3_600_000;

/** Return a device that the owner may use; a null owner may use any. */
export async function findDevice(
  database: Queryable,
  kind: "sensor" | "controller",
  id: string,
  owner: string | null,
): Promise<{ accountId: string; name: string } | undefined> {
  const [row] = await database.query<{ account_id: string; name: string }>(
    `select device.account_id, ${kind}.name from device join ${kind} using (id)
     where id = $1 and ($2::uuid is null or device.account_id = $2)`,
    [id, owner],
  );
  return row ? { accountId: row.account_id, name: row.name } : undefined;
}

/** @returns the previous image (null: none); undefined where its entity was deleted */
export async function replaceImage(
  tx: Queryable,
  table: Pictured,
  id: string,
  path: string,
): Promise<string | null | undefined> {
  const [row] = await tx.query<{ image_path: string | null }>(
    `select image_path from ${table} where id = $1 for update`,
    [id],
  );
  if (!row) return undefined;
  await tx.query(`update ${table} set image_path = $2 where id = $1`, [id, path]);
  return row.image_path;
}

/** Remove unreferenced files, for instance of deleted accounts and devices. @param now ms since 1970 UTC */
export async function sweepImages(database: Database, images: ImageStore, now: number): Promise<void> {
  const paths = await images.listOlder(now - ORPHAN_GRACE_MS);
  if (paths.length === 0) return;
  const rows = await database.query<{ image_path: string }>(
    `select image_path from account where image_path = any($1::text[])
     union select image_path from sensor where image_path = any($1::text[])
     union select image_path from controller where image_path = any($1::text[])`,
    [paths],
  );
  const shown = new Set(rows.map(({ image_path }) => image_path));
  for (const path of paths) if (!shown.has(path)) await images.remove(path);
}
