import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { type RunningRedis, startRedis } from "@mulkko/testing/engines/redis";
import { Redis } from "ioredis";
import Type from "typebox";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  anyAlarms,
  anyCommands,
  anyIntents,
  anySettings,
  anyWaterings,
  foundSingle,
  listed,
} from "../../testing/any-documents.ts";
import { newPrefix, shareShards, startNode } from "../../testing/redis-harness.ts";
import { createTestStore } from "../../testing/test-store.ts";
import { PROOFS } from "../access/token-prover.ts";
import { SESSIONS } from "../access/vault.ts";
import { PRESENCE } from "../account/device-memory.ts";
import { NOTIFIED } from "../account/notification-handler.ts";
import { WATCHED_SPAN } from "../account/watched-span.ts";
import { put, putDated, putSingle } from "./collections.ts";
import { shardOf } from "./shard.ts";
import type { Store } from "./store.ts";

let redis: RunningRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

/** Write one document of each collection that had names before the table of collections. */
async function writeEach(store: Store): Promise<void> {
  const { documents } = await store.claim("a1");
  const at = Math.floor(store.now());
  await documents.write([
    put(anyIntents, "channel:1", { want: "open" }),
    putDated(anyCommands, "c1", at, { state: "requested" }),
    putDated(anyWaterings, "w1", at, { id: "w1" }),
    putDated(anyAlarms, "al1", at, { active: true }),
    putSingle(anySettings, { adoptExternal: true }),
    putSingle(NOTIFIED, { at: 7, keys: ["n1"] }),
    putSingle(WATCHED_SPAN, { since: 5, until: 9 }),
    put(PRESENCE, "sensor:1", { gaps: [1], offline: false }),
  ]);
  await store.documents("a1").write([putSingle(SESSIONS, "sealed")]);
  const proofs = store.passing({ ...PROOFS, value: Type.Unknown() });
  await proofs.put("hash", { accountId: "a1" }, at + 60_000);
}

test("[NODE-6] the keys of documents in Redis are those of earlier relays", async () => {
  const prefix = newPrefix();
  const { store } = startNode(redis.url, prefix);
  const client = new Redis(redis.url);
  try {
    await store.opened();
    await shareShards({ store, clock: createFakeClock(), errors: [] });
    const keys = async () => (await client.keys(`${prefix}*`)).filter((key) => !/:(lease|fence)$/.test(key));
    await store.claim("a1");
    const before = new Set(await keys());
    await writeEach(store);
    const shard = `{s${shardOf("a1")}}`;
    const account = [
      "n",
      "c",
      "ct",
      "w",
      "wt",
      "al",
      "at",
      "settings",
      "notified",
      "watched-span",
      "p",
      "session",
    ];
    const expected = ["proof:hash", `${shard}:intending`, ...account.map((name) => `${shard}:a:a1:${name}`)];
    const written = (await keys()).filter((key) => !before.has(key)).map((key) => key.slice(prefix.length));
    expect(written.sort()).toEqual(expected.sort());
    const base = `${prefix}${shard}:a:a1:`;
    expect(await client.get(`${base}session`)).toBe("sealed");
    expect(await client.get(`${base}watched-span`)).toBe('{"since":5,"until":9}');
    expect(await client.hgetall(`${base}n`)).toEqual({ "channel:1": '{"want":"open"}' });
    expect(await client.zrange(`${base}at`, 0, -1)).toEqual(["al1"]);
    expect(JSON.parse((await client.get(`${prefix}proof:hash`)) ?? "")).toMatchObject({
      proof: { accountId: "a1" },
    });
  } finally {
    client.disconnect();
    await store.close();
  }
});

test("[NODE-6] the tables of documents in SQLite are those of earlier relays", async () => {
  const folder = await mkdtemp(join(tmpdir(), "mulkko-names-"));
  try {
    const file = join(folder, "relay.sqlite");
    const clock = createFakeClock();
    const store = createTestStore({ clock, timers: createFakeTimers(clock), file });
    const contentOf = (sql: string) => {
      const database = new DatabaseSync(file, { readOnly: true });
      const rows = database.prepare(sql).all();
      database.close();
      return rows.map((row) => Object.values(row));
    };
    const tables = () => contentOf("SELECT name FROM sqlite_master ORDER BY name");
    const before = tables();
    await writeEach(store);
    expect(tables()).toEqual(before);
    const at = Math.floor(store.now());
    expect(contentOf("SELECT account, channel, intent FROM intents")).toEqual([
      ["a1", "channel:1", '{"want":"open"}'],
    ]);
    expect(contentOf("SELECT id, at, record FROM commands")).toEqual([["c1", at, '{"state":"requested"}']]);
    expect(contentOf("SELECT id, at, watering FROM waterings")).toEqual([["w1", at, '{"id":"w1"}']]);
    expect(contentOf("SELECT id, at, alarm FROM alarms")).toEqual([["al1", at, '{"active":true}']]);
    expect(contentOf("SELECT settings FROM settings")).toEqual([['{"adoptExternal":true}']]);
    expect(contentOf("SELECT notified FROM accounts")).toEqual([['{"at":7,"keys":["n1"]}']]);
    expect(contentOf("SELECT since, until FROM watched_spans")).toEqual([[5, 9]]);
    expect(contentOf("SELECT key, kept FROM presence")).toEqual([
      ["sensor:1", '{"gaps":[1],"offline":false}'],
    ]);
    expect(contentOf("SELECT account, sealed FROM sessions")).toEqual([["a1", "sealed"]]);
    await store.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("[NODE-2] an owner writes again what it has only read, once Redis has lost it", async () => {
  const prefix = newPrefix();
  const node = startNode(redis.url, prefix);
  const client = new Redis(redis.url);
  try {
    await node.store.opened();
    await shareShards(node);
    await writeEach(node.store);
    const later = await node.store.claim("a1");
    await later.documents.list(anyIntents);
    await later.documents.list(anyAlarms);
    await later.documents.single(anySettings);
    await later.documents.single(NOTIFIED);
    const lost = (await client.keys(`${prefix}*:a:a1:*`)).concat(await client.keys(`${prefix}*:intending`));
    await client.del(...lost);
    await later.beginEpoch(new Map());
    expect(await listed(later.documents, anyIntents)).toEqual([["channel:1", { want: "open" }]]);
    expect(await listed(later.documents, anyAlarms)).toEqual([["al1", { active: true }]]);
    expect(await foundSingle(later.documents, anySettings)).toEqual({ adoptExternal: true });
    expect(await foundSingle(later.documents, NOTIFIED)).toEqual({ at: 7, keys: ["n1"] });
    expect(await node.store.accountsWith(anyIntents)).toEqual(["a1"]);
  } finally {
    client.disconnect();
    await node.store.close();
  }
});
