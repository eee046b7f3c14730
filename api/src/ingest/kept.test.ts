import { topic } from "@mulkko/shared/mqtt/topics";
import { VALVE_ON } from "@mulkko/shared/rules/valve";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { SOIL, startTestFarm, type TestFarm, VALVES } from "../../testing/test-farm.ts";
import { type Database, DatabaseError } from "../database/database.ts";

const NOT_NOW = [
  ...["08000", "08006", "0A000", "25006", "28000", "28P01", "2BP01", "3D000", "40001", "40P01", "42501"],
  ...["42P01", "42703", "44000", "53100", "53200", "53300", "53400", "54001", "55000", "55P03", "57014"],
  ...["57P01", "57P03", "58000", "58030", "F0001", "HV000", "P0001", "XX000", "XX001", "XX002", "0LOOK"],
  ...["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ENETDOWN", "EMFILE", "ENOTFOUND", "EAI_AGAIN"],
  ...["CERT_HAS_EXPIRED", "SELF_SIGNED_CERT_IN_CHAIN", "ERR_TLS_CERT_ALTNAME_INVALID", "EPIPE"],
];
const OF_THE_ROW = ["22003", "22P05", "22021", "23502", "23503", "23514", "54000"];

let farm: TestFarm;
let whole: Pick<Database, "query" | "transaction">;
beforeAll(async () => {
  farm = await startTestFarm();
});
afterAll(() => farm.close());
beforeEach(() => {
  const { query, transaction } = farm.app.database;
  whole = { query, transaction };
});
afterEach(async () => {
  Object.assign(farm.app.database, whole);
  await farm.app.database.query("delete from dead_letter");
});

/** Let every statement fail but those of the dead-letter log, which may fail by a code of its own. */
function failWith(code: string, logCode?: string): void {
  const fail = (own: string) => Promise.reject(new DatabaseError(`failed with ${own}`, own));
  const failing: Pick<Database, "query" | "transaction"> = {
    query: (sql, ...more) => {
      if (!sql.includes("dead_letter")) return fail(code);
      return logCode === undefined ? whole.query(sql, ...more) : fail(logCode);
    },
    transaction: () => fail(code),
  };
  Object.assign(farm.app.database, failing);
}

const message = (name: string, body: object) => ({
  topic: name,
  payload: Buffer.from(JSON.stringify(body)),
  ...{ duplicate: false, retained: false, connection: "one" },
});
const WAYS = {
  "a reading": () => farm.app.ingest.handle(message(topic.up(SOIL.serial), { moisture: 21 })),
  "a valve report": () => farm.app.ingest.handle(message(topic.channelState(VALVES.serial, 1), { onoff: 1 })),
  "a driver's valve report": () =>
    farm.app.ingest.report({
      ...{ deviceId: VALVES.id, number: 1, heardAt: farm.clock.now(), retained: false },
      ...{ onoff: VALVE_ON, moisture: null, runUntil: null, commandId: null },
      ...{ fwversion: null, rssi: null, modes: {} },
    }),
} as const;
const letters = (): Promise<{ topic: string; payload: string; serial: string | null }[]> =>
  whole.query("select topic, payload, serial from dead_letter where reason = 'not-storable'");

describe.each(Object.entries(WAYS))("[KEEP-1] %s", (_name, send) => {
  beforeEach(() => {
    farm.clock.advance(1_000);
  });

  test.each(NOT_NOW)("[KEEP-1] is not acknowledged where its write fails with %s", async (code) => {
    failWith(code);
    await expect(send()).rejects.toMatchObject({ code });
    expect(await letters()).toEqual([]);
    expect(farm.app.storage.state.fault).not.toBeNull();
    Object.assign(farm.app.database, whole);
    // The same message, sent again.
    await send();
    expect(await letters()).toEqual([]);
  });

  test.each(OF_THE_ROW)("[KEEP-1] is set aside with its text where its row fails with %s", async (code) => {
    failWith(code);
    await send();
    const [letter, ...more] = await letters();
    expect(more).toEqual([]);
    expect(letter?.topic).toMatch(/^mulkko\/\d+\/(up|ch\/1\/state)$/);
    expect(letter?.topic).toContain(`/${letter?.serial}/`);
    expect(letter?.payload).toMatch(/"(moisture|onoff)":/);
  });

  test("[KEEP-1] is not acknowledged while the dead-letter log cannot store it", async () => {
    failWith("22003", "57P03");
    await expect(send()).rejects.toMatchObject({ code: "57P03" });
    expect(await letters()).toEqual([]);
  });
});

test("[KEEP-1] the log keeps rejected messages over an outage", async () => {
  failWith("57P03", "EHOSTUNREACH");
  await farm.app.ingest.handle({
    ...message(topic.up(SOIL.serial), {}),
    payload: Buffer.from("no JSON"),
  });
  await farm.app.ingest.deadLetters.flush();
  Object.assign(farm.app.database, whole);
  await farm.app.ingest.deadLetters.flush();
  expect(await whole.query("select payload from dead_letter")).toEqual([{ payload: "no JSON" }]);
});

test.each([
  ["P0001", "rejected", 0],
  ["22023", "fulfilled", 1],
] as const)(
  "[KEEP-1] a trigger that refuses one row with %s: its message is %s, the others are stored",
  async (code, status, lettersAfter) => {
    const { database } = farm.app;
    await database.exec(`
    create or replace function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'not this one' using errcode = '${code}'; end $$;
    create trigger refuses before insert on reading for each row when (new.moisture = 66) execute function refuse();
  `);
    const at = farm.clock.now() - 3_600_000;
    const send = (n: number, moisture: number) =>
      farm.app.ingest.handle(
        message(topic.up(SOIL.serial), { at: new Date(at + n).toISOString(), moisture }),
      );
    const outcomes = await Promise.allSettled([send(1, 20), send(2, 66), send(3, 21), send(4, 22)]);
    await database.exec("drop trigger refuses on reading");
    expect(outcomes.map((outcome) => outcome.status)).toEqual([
      "fulfilled",
      status,
      "fulfilled",
      "fulfilled",
    ]);
    const rows = await database.query<{ moisture: number }>(
      "select moisture from reading where at > $1 and at <= $2 order by at",
      [new Date(at), new Date(at + 4)],
    );
    expect(rows.map(({ moisture }) => moisture)).toEqual([20, 21, 22]);
    expect(await letters()).toHaveLength(lettersAfter);
    farm.clock.advance(60_000);
  },
);
