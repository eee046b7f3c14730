/**
 * Time small statements of the embedded database that are parsed and planned once, beside the baseline:
 * `PGlite.query`, which does both at each call.
 */
import { PGlite } from "@electric-sql/pglite";
import { machine, median } from "@mulkko/testing/bench/figures";
import { knownMigrations, readMigration } from "../src/database/migrate.ts";
import { pgliteOptions } from "../src/database/pglite-options.ts";
import { PreparedStatements } from "../src/database/prepared-statements.ts";

const ROUNDS = 9;
const CALLS = 300;
const ACCOUNT = "00000000-0000-4000-8000-000000000001";

/** Statements that a watched account causes every few seconds. */
const STATEMENTS = {
  account: ["select * from account where id = $1 and deleted_at is null", [ACCOUNT]],
  states: [
    `select state.device_id, state.number, onoff, run_until, command_id, report, at, heard_at, state.arrival
       from channel_state as state join device on device.id = state.device_id where device.account_id = $1`,
    [ACCOUNT],
  ],
  probe: [
    "insert into storage_probe (at) values ($1) on conflict (id) do update set at = excluded.at",
    [new Date(0)],
  ],
} as const;

const pglite = await PGlite.create("memory://", pgliteOptions);
for (const { file } of await knownMigrations()) await pglite.exec(await readMigration(file));
const statements = new PreparedStatements(pglite);

async function microseconds(run: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  for (let call = 0; call < CALLS; call += 1) await run();
  return ((performance.now() - begun) / CALLS) * 1_000;
}

console.log(machine());
for (const [name, [sql, params]] of Object.entries(STATEMENTS)) {
  const times = { each: [] as number[], once: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.each.push(await microseconds(() => pglite.query(sql, [...params])));
    times.once.push(await microseconds(() => statements.query(sql, params)));
  }
  const [each, once] = [median(times.each), median(times.once)];
  console.log(
    `${name}: ${once.toFixed(0)} µs prepared once, ${each.toFixed(0)} µs parsed at each call (baseline): ratio ${(once / each).toFixed(2)}`,
  );
}
await pglite.close();
