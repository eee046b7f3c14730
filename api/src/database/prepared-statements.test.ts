import { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pgliteOptions } from "./pglite-options.ts";
import { PreparedStatements } from "./prepared-statements.ts";

describe("[database] statements that are prepared once", () => {
  let pglite: PGlite;
  let statements: PreparedStatements;
  const preparedOnes = async () =>
    (await pglite.query<{ statement: string }>("select statement from pg_prepared_statements")).rows.map(
      ({ statement }) => statement,
    );
  beforeAll(async () => {
    pglite = await PGlite.create("memory://", pgliteOptions);
    statements = new PreparedStatements(pglite);
    await statements.exec("create table thing (id int primary key, word text)");
  });
  afterAll(() => pglite.close());

  it("[database] are parsed at the first call alone, and take other parameters at each", async () => {
    const echo = "select $1::int + 1 as next, $2::text as word";
    expect(await statements.query(echo, [1, null])).toEqual([{ next: 2, word: null }]);
    expect(await statements.query(echo, [41, "물"])).toEqual([{ next: 42, word: "물" }]);
    expect((await preparedOnes()).filter((sql) => sql === echo)).toHaveLength(1);
  });

  it("[database] go on after a refusal, outside and inside a transaction", async () => {
    const insert = "insert into thing values ($1, $2)";
    await statements.query(insert, [1, "one"]);
    await expect(statements.query(insert, [1, "again"])).rejects.toMatchObject({ code: "23505" });
    await statements.query("begin");
    await expect(statements.query(insert, [1, "again"])).rejects.toMatchObject({ code: "23505" });
    await expect(statements.query("select 1 as one")).rejects.toMatchObject({ code: "25P02" });
    await statements.query("rollback");
    await statements.query(insert, [2, "two"]);
    expect(await statements.query("select id from thing order by id")).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it("[database] refuse a wrong number of parameters, and a text that is none", async () => {
    await expect(statements.query("select $1::int as one", [])).rejects.toMatchObject({ code: "08P01" });
    await expect(statements.query("selekt")).rejects.toMatchObject({ code: "42601" });
    expect(await statements.query("select $1::int as one", [1])).toEqual([{ one: 1 }]);
  });

  it("[database] have the columns of the changed table after a migration", async () => {
    const all = "select * from thing where id = 1";
    expect(await statements.query(all)).toEqual([{ id: 1, word: "one" }]);
    await statements.exec(
      "alter table thing add column more int default 7; alter table thing drop column word",
    );
    expect(await statements.query(all)).toEqual([{ id: 1, more: 7 }]);
    await statements.query("alter table thing add column last int");
    expect(await statements.query(all)).toEqual([{ id: 1, more: 7, last: null }]);
  });

  it("[database] are bounded in number: the one that was not used for the longest time goes", async () => {
    const kept = "select 'kept' as word";
    for (let number = 0; number < 700; number += 1) {
      await statements.query(`select ${number} as number`);
      await statements.query(kept);
    }
    const left = await preparedOnes();
    expect(left.length).toBeLessThanOrEqual(601);
    expect(left).toContain(kept);
    expect(left).not.toContain("select 0 as number");
    expect(await statements.query("select 0 as number")).toEqual([{ number: 0 }]);
  });
});
