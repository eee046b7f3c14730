import type { Database } from "../src/database/database.ts";
import { storeReadings } from "../src/ingest/reading-store.ts";
import { pngOf } from "./image-bytes.ts";
import {
  ADMIN,
  COT,
  FARMER,
  FOREIGN,
  SOIL,
  startTestFarm,
  type TestFarm,
  VALVES,
  WEATHER,
} from "./test-farm.ts";

/** Characters that careless file writers lose: quotes, commas, backslashes, line ends, NULL. */
const NASTY = `"a", {b} \\c\\n\n\r\t NULL 'd' $$ 💧 \\x0aff`;

/** A row for every table that the test farm leaves empty; add one for each new table. */
const ROWS: readonly string[] = [
  `update account set nickname = $1 where id = '${FARMER}'`,
  `update sensor set description = $1, crops = 'NULL', latitude = 37.123456789012345 where id = '${SOIL.id}'`,
  "insert into setting (key, value) values ('of a test', $1)",
  "insert into watering_trigger (channel_id, lower_bound, upper_bound, watering_duration) values (1, 0.1, '-Infinity', 5)",
  "insert into watering_reservation (channel_id, watering_duration, on_time, repeat) values (1, 5, '06:30', true)",
  "insert into watering_period (channel_id, watering_duration, watering_interval, repeat) values (2, 5, null, false)",
  `insert into channel_state (device_id, number, onoff, moisture, report, at, heard_at)
     values ('${VALVES.id}', 1, 1, 'NaN', jsonb_build_object('word', $1::text, 'n', 1e-7), '2026-01-02 03:04:05.678901Z', now())`,
  `insert into device_link (device_id, online, said_at) values ('${VALVES.id}', true, now())`,
  `insert into cot_log (device_id, number, at, valve) values ('${COT.id}', 1, now(), 2)`,
  "insert into dead_letter (at, topic, reason, payload) select now(), 'mulkko/1/up', 'bad', $1 from generate_series(1, 3)",
  "delete from dead_letter where id = 3",
  "insert into created_once (digest, content, answer, at) values ('digest', 'content', $1, now())",
  `insert into command (account_id, key, content, created_at) values ('${FARMER}', 'key', $1, now())`,
  `insert into notification (account_id, type, message, created_at) values ('${FARMER}', 'RSSI', $1, now())`,
  `insert into recovery (hash, account_id, expires_at) values ('\\x00ff0a', '${FARMER}', now())`,
  `insert into outbox (account_id, recipient, subject, body, state, created_at) values ('${FARMER}', 'a@b', '', $1, 'kept', now())`,
  `insert into contact (account_id, name, title, message, created_at) values ('${FARMER}', 'Kim', '', $1, now())`,
  `insert into access_change (account_id, entity, at) select id, 'password', now() from account limit 1`,
  `insert into audit (actor_id, actor_name, action, subject_kind, subject_id, subject_name, before, created_at)
     values ('${ADMIN}', 'overseer', 'user-update', 'user', '1', $1, '{"a": [1, null]}', now())`,
  `insert into command_log (actor_name, by_relay, account_name, device_id, device_name, number, command, payload, command_id, created_at)
     values ('Kim', false, '', '${VALVES.id}', $1, 1, 'onoff', $1, 'c1', '2026-01-02 03:04:05.678901Z')`,
  `insert into soft_channel (channel_id, state) values (2, jsonb_build_object('word', $1::text))`,
  `insert into alert_episode (device_id, type, began_at) values ('${SOIL.id}', 'BATTERY', now())`,
  `insert into device_presence (device_id, online, flipped_at, flipped_last, back_at, slot, beats)
     values ('${SOIL.id}', false, now(), now(), now(), 994000, 5::bit(96))`,
  `insert into device_clock (device_id, wrong_since, offset_ms) values ('${SOIL.id}', now(), 32400000)`,
  `insert into listened_slot values (994000)`,
  `insert into storage_probe (at) values (now()) on conflict do nothing`,
  `insert into alert_mail (notification_id, account_id, waits_since) select id, account_id, now() from notification limit 1`,
];

/** Insert readings of three sensors over five months, some with many fields and some with none. */
async function fillHistory(database: Database): Promise<void> {
  const begin = Date.UTC(2026, 5, 20);
  for (const [index, { id }] of [SOIL, WEATHER, FOREIGN].entries()) {
    const readings = Array.from({ length: 500 }, (_, n) => ({
      sensorId: id,
      at: begin + n * 7 * 3_600_000 + index,
      receivedAt: begin + n * 7 * 3_600_000 + 1_234,
      fwversion: n % 3 === 0 ? NASTY : null,
      rssi: n % 2 === 0 ? -70.25 : null,
      fields: n % 5 === 0 ? {} : { moisture: n / 7, soilTemperature: -n / 3, windD: (n * 13) % 360 },
    }));
    await storeReadings(database, readings);
  }
}

/** Start the test farm with rows in every table, and two images. */
export async function startFullFarm(environment: Readonly<Record<string, string>> = {}): Promise<TestFarm> {
  const farm = await startTestFarm(environment);
  const { database, images } = farm.app;
  for (const sql of ROWS) await database.query(sql, sql.includes("$1") ? [NASTY] : []);
  await fillHistory(database);
  for (const [id, side] of [
    [FARMER, 4],
    [ADMIN, 5],
  ] as const) {
    // Longer than one line of a backup.
    const bytes = Buffer.concat([pngOf(side, side), Buffer.alloc(100_000 + side, side)]);
    await database.query("update account set image_path = $2 where id = $1", [
      id,
      await images.save(bytes, "png"),
    ]);
  }
  return farm;
}
