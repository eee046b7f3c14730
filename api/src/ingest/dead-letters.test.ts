import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestFarm, type TestFarm } from "../../testing/test-farm.ts";
import { MAX_DEAD_LETTERS } from "./dead-letters.ts";

let farm: TestFarm;
beforeAll(async () => {
  farm = await startTestFarm();
});
afterAll(() => farm.close());

test("[ingest] keeps the newest ten thousand dead letters, of any bytes", async () => {
  const { database, ingest } = farm.app;
  await database.query(
    `insert into dead_letter (at, topic, reason, payload)
     select now(), 'old', 'not-json', '' from generate_series(1, $1::int)`,
    [MAX_DEAD_LETTERS],
  );
  const letter = {
    ...{ at: farm.clock.now(), topic: "new \u0000", deviceId: null, serial: "1" },
    ...{ reason: "not-json" as const, field: null },
  };
  ingest.deadLetters.add({ ...letter, payload: Uint8Array.of(0, 255, 254, 0xd8, 0x00) });
  ingest.deadLetters.add({ ...letter, payload: Buffer.from("x".repeat(60_000)) });
  await ingest.deadLetters.flush();
  const [row] = await database.query<{ count: number; fresh: number; longest: number }>(
    `select count(*) as count, count(*) filter (where topic like 'new%') as fresh,
       max(length(payload)) as longest from dead_letter`,
  );
  expect(row).toEqual({ count: MAX_DEAD_LETTERS, fresh: 2, longest: 1_024 });
});
