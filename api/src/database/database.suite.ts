import { FIELDS } from "@mulkko/shared/catalogue/fields";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findAccountByName } from "../accounts/repository.ts";
import type { Database, Row } from "./database.ts";
import { DatabaseError, UNIQUE_VIOLATION } from "./database.ts";
import { knownMigrations, migrate, readMigration, SchemaError } from "./migrate.ts";
import { queryPacked } from "./packed-rows.ts";

/** Define the tests for every implementation of the database port. `open` returns an empty database. */
export function databaseSuite(name: string, open: () => Promise<Database>): void {
  describe(`[database] ${name}`, () => {
    let database: Database;
    beforeAll(async () => {
      database = await open();
      await database.exec("create table thing (id int primary key, word text)");
    });
    afterAll(() => database.close());

    test("[database] returns the same types: int8 as number, times as milliseconds, JSON as values", async () => {
      const [row] = await database.query<{ bytes: Uint8Array }>(
        `select 9007199254740991::int8 as big, $1::timestamptz as at, 'NaN'::float8 as nan, 1.5::float8 as half,
           true as yes, '{"a":[1]}'::jsonb as json, array['x','y'] as words, '\\x0aff'::bytea as bytes,
           null::text as nothing, count(*) as count, $2::uuid[] as ids`,
        [new Date(1_700_000_000_123), ["00000000-0000-4000-8000-000000000001"]],
      );
      expect(row).toMatchObject({
        big: 9_007_199_254_740_991,
        at: 1_700_000_000_123,
        nan: Number.NaN,
        half: 1.5,
        yes: true,
        json: { a: [1] },
        words: ["x", "y"],
        nothing: null,
        count: 1,
        ids: ["00000000-0000-4000-8000-000000000001"],
      });
      expect([...(row?.bytes ?? [])]).toEqual([10, 255]);
    });

    test("[database] a packed query returns the rows of the statement in order, with any number of columns", async () => {
      const many = Array.from({ length: 200 }, (_, index) => `n${index}`);
      const numbers = many.map((name, index) => `n + ${index}.25::float8 as ${name}`).join(", ");
      const from = `(select '물 "꼬"\n' || n as word, null::text as nothing, $1::timestamptz as at,
        9007199254740991::int8 as big, n / 3::float8 as "third", ${numbers}
        from generate_series(1, $2::int) as n order by n desc) as found`;
      const columns = ["word", "nothing", "at", "big", '"third"', ...many];
      const params = [new Date(1_700_000_000_123), 3];
      const question = { columns, times: ["at"], from, params };
      const packed = await database.transaction((tx) => queryPacked<Row>(tx, question));
      expect(packed).toHaveLength(3);
      expect(await queryPacked(database, question)).toEqual(packed);
      expect(packed).toEqual(await database.query(`select ${columns.join(", ")} from ${from}`, params));
      expect(packed[0]).toMatchObject({ word: '물 "꼬"\n3', at: 1_700_000_000_123, third: 1, n199: 202.25 });
      expect(await queryPacked(database, { columns, from, params: [new Date(0), 0] })).toEqual([]);
    });

    test("[database] commits a transaction completely or not at all", async () => {
      await database.transaction(async (tx) => {
        await tx.query("insert into thing values (1, 'one')");
        await tx.query("insert into thing values (2, 'two')");
      });
      const failing = database.transaction(async (tx) => {
        await tx.query("insert into thing values (3, 'three')");
        throw new Error("changed my mind");
      });
      await expect(failing).rejects.toThrow("changed my mind");
      const refusal = Object.assign(new TypeError("no such thing"), { code: "not-found" });
      await expect(database.transaction(() => Promise.reject(refusal))).rejects.toBe(refusal);
      const broken = database.transaction(async (tx) => {
        await tx.query("insert into thing values (4, 'four')");
        await tx.query("insert into thing values (1, 'again')");
      });
      await expect(broken).rejects.toThrow(DatabaseError);
      expect(await database.query("select id from thing order by id")).toEqual([{ id: 1 }, { id: 2 }]);
    });

    test("[database] keeps concurrent transactions apart", async () => {
      await database.query("insert into thing values (100, '0')");
      const add = (): Promise<void> =>
        database.transaction(async (tx) => {
          const [row] = await tx.query<{ word: string }>("select word from thing where id = 100 for update");
          await tx.query("update thing set word = $1 where id = 100", [String(Number(row?.word) + 1)]);
        });
      await Promise.all(Array.from({ length: 20 }, add));
      expect(await database.query("select word from thing where id = 100")).toEqual([{ word: "20" }]);
    });

    test("[database] reports a refusal with a code that is not worth a retry", async () => {
      const twice = database.query("insert into thing values (100, 'again')");
      await expect(twice).rejects.toMatchObject({
        name: "DatabaseError",
        code: UNIQUE_VIOLATION,
        temporary: false,
      });
      await expect(database.query("select * from nowhere")).rejects.toMatchObject({ code: "42P01" });
      expect(database.isUp()).toBe(true);
    });

    test("[admin] keeps accounts whose names differ by case only, in the migration that forbids them", async () => {
      const names = await knownMigrations();
      const before = names.slice(
        0,
        names.findIndex(({ file }) => file.includes("names-and-sign-ins")),
      );
      await database.exec("create table schema_migration (number int primary key, applied_at timestamptz)");
      for (const { number, file } of before) {
        await database.exec(await readMigration(file));
        await database.query("insert into schema_migration (number) values ($1)", [number]);
      }
      const add = (id: number, username: string) =>
        database.query(
          `insert into account (id, username, password_hash, user_type, created_at)
           values ($1, $2, '', 'USER', $3)`,
          [`00000000-0000-4000-8000-00000000000${id}`, username, new Date(id)],
        );
      await add(1, "farm001");
      await add(2, "FARM001");
      await migrate(database);
      expect(await database.query("select username, name_key from account order by id")).toEqual([
        { username: "farm001", name_key: "farm001" },
        { username: "FARM001", name_key: null },
      ]);
      expect((await findAccountByName(database, "FARM001"))?.username).toBe("FARM001");
      expect((await findAccountByName(database, "Farm001"))?.username).toBe("farm001");
    });

    test("[database] runs each migration once, and stores every catalogue field in a column of both tables", async () => {
      const newest = await migrate(database);
      expect(await migrate(database)).toBe(newest);
      for (const table of ["reading", "latest"]) {
        const columns = await database.query<{ name: string; type: string }>(
          "select column_name as name, data_type as type from information_schema.columns where table_name = $1",
          [table],
        );
        const typeOf = new Map(columns.map((column) => [column.name, column.type]));
        for (const field of Object.keys(FIELDS)) {
          expect([table, field, typeOf.get(field)]).toEqual([table, field, "double precision"]);
        }
      }
    });

    test("[database] refuses a schema newer than this program with a clear error", async () => {
      await migrate(database);
      await database.query("insert into schema_migration (number) values (9999)");
      await expect(migrate(database)).rejects.toThrow(SchemaError);
      await expect(migrate(database)).rejects.toThrow("The database has schema 9999");
      await database.query("delete from schema_migration where number = 9999");
    });
  });
}
