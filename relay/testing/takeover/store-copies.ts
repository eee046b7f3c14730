import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { gunzipSync } from "node:zlib";
import { Account } from "@mulkko/shared/entities/account";
import { Controller } from "@mulkko/shared/entities/controller";
import { Farm } from "@mulkko/shared/entities/farm";
import { Notification } from "@mulkko/shared/entities/notification";
import { Sensor } from "@mulkko/shared/entities/sensor";
import { Alarm } from "@mulkko/shared/live/alarm";
import { CommandsAnswer } from "@mulkko/shared/rest/command";
import { DisplayList } from "@mulkko/shared/rest/displays";
import { AccountSettings } from "@mulkko/shared/rest/settings";
import { WatchState } from "@mulkko/shared/rest/watch";
import { Waterings } from "@mulkko/shared/rest/waterings";
import { Nullable } from "@mulkko/shared/schema/nullable";
import { parseJson } from "@mulkko/shared/schema/parse";
import { Redis } from "ioredis";
import { type Static, type TSchema, Type } from "typebox";
import { readReplicationId } from "../../src/store/redis/redis-store.ts";

/** The stores that were recorded. */
export const STORE_KINDS = ["embedded", "redis"] as const;
export type StoreKind = (typeof STORE_KINDS)[number];

const RecordedRelay = Type.Object({
  recordedAt: Type.String(),
  relaySecret: Type.String(),
  /** The token of the paired screen, and the code of one that waits. */
  displayToken: Type.String(),
  waitingCode: Type.String(),
  /** The farmer's farm, as the farm API answers it. */
  farm: Type.Object({
    account: Account,
    farms: Type.Array(Farm),
    sensors: Type.Array(Sensor),
    controllers: Type.Array(Controller),
    notifications: Type.Array(Notification),
    /** By `serial/channelId`, and by channel id. */
    states: Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown())),
    moistures: Type.Record(Type.String(), Nullable(Type.Number())),
  }),
  /** Its last answers before it stopped. */
  answers: Type.Object({
    settings: AccountSettings,
    displays: DisplayList,
    alarms: Type.Object({ content: Type.Array(Alarm) }),
    commands: CommandsAnswer,
    waterings: Waterings,
    watchFarmer: WatchState,
    watchNeighbor: WatchState,
  }),
});
export type RecordedRelay = Static<typeof RecordedRelay>;

const Key = <T extends string, V extends TSchema>(type: T, value: V) =>
  Type.Object({
    key: Type.String(),
    type: Type.Literal(type),
    /** ms UTC; missing: never. */
    expiresAt: Type.Optional(Type.Number()),
    value,
  });
const Texts = Type.Array(Type.String());
const RedisCopy = Type.Object({
  recordedAt: Type.Number(),
  keys: Type.Array(
    Type.Union([
      Key("string", Type.String()),
      Key("hash", Type.Record(Type.String(), Type.String())),
      Key("list", Texts),
      Key("set", Texts),
      Key("zset", Type.Array(Type.Tuple([Type.String(), Type.Number()]))),
    ]),
  ),
});

const unpacked = (name: string): Buffer => gunzipSync(readFileSync(new URL(name, import.meta.url)));

function readRecording<S extends TSchema>(schema: S, name: string): Static<S> {
  const read = parseJson(schema, unpacked(name).toString());
  if (!read.ok) throw new Error(`${name} ${read.path} ${read.message}`);
  return read.value;
}

export const readRecordedRelay = (kind: StoreKind): RecordedRelay =>
  readRecording(RecordedRelay, `./${kind}-answers.json.gz`);

/** Write the SQLite file of the earlier relay. */
export function writeSqliteCopy(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, unpacked("./relay.sqlite.gz"));
}

const RECORDED_PREFIX = "mulkko:";

/**
 * Write the keys of the earlier relay into a Redis, as if it were the one that they were recorded from: with
 * the time that each had left, and with its replication id.
 */
export async function writeRedisCopy(url: string, prefix: string): Promise<void> {
  const { recordedAt, keys } = readRecording(RedisCopy, "./redis.json.gz");
  const client = new Redis(url);
  const replid = await readReplicationId(client);
  const writing = client.pipeline();
  for (const one of keys) {
    const key = one.key.replace(RECORDED_PREFIX, prefix);
    switch (one.type) {
      case "string":
        writing.set(key, one.value);
        break;
      case "hash":
        writing.hset(key, "replid" in one.value ? { ...one.value, replid } : one.value);
        break;
      case "list":
        writing.rpush(key, ...one.value);
        break;
      case "set":
        writing.sadd(key, ...one.value);
        break;
      case "zset":
        writing.zadd(key, ...one.value.flatMap(([member, score]) => [score, member]));
        break;
    }
    if (one.expiresAt !== undefined) writing.pexpire(key, one.expiresAt - recordedAt);
  }
  const results = (await writing.exec()) ?? [];
  client.disconnect();
  const failed = results.find(([error]) => error !== null);
  if (failed) throw failed[0];
}
