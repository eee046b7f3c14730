import { randomBytes } from "node:crypto";
import type { Queryable } from "./database.ts";

const KEY = "installation";

/**
 * Return the id of this installation, and make one at its first start. An installation that has accounts already
 * gets an empty one: its sessions at the broker have names without an id, and hold messages for it.
 */
export async function readInstallation(database: Queryable): Promise<string> {
  await database.query(
    `insert into setting (key, value)
     select $1, case when exists (select 1 from account) then '' else $2 end on conflict do nothing`,
    [KEY, randomBytes(6).toString("hex")],
  );
  const [row] = await database.query<{ value: string }>("select value from setting where key = $1", [KEY]);
  if (!row) throw new Error("the installation has no id");
  return row.value;
}
