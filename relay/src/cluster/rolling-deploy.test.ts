import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import { sensorKey } from "@mulkko/shared/rules/device-keys";
import { buildAccount, buildLogEntry, buildSensor } from "@mulkko/shared/testing/builders";
import { type RunningRedis, startRedis } from "@mulkko/testing/engines/redis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type ClusterNode,
  createClusterApi,
  shareAmong,
  shown,
  startClusterNode,
} from "../../testing/cluster-harness.ts";
import { ofLaterVersion } from "../../testing/later-version.ts";
import { newPrefix } from "../../testing/redis-harness.ts";
import { until } from "../../testing/until.ts";
import type { ProvenAccount } from "../access/token-prover.ts";
import type { Viewer } from "../account/viewing.ts";
import { shardOf } from "../store/shard.ts";
import type { CommandRequest } from "../valves/commands.ts";

const SENSOR = sensorKey(buildSensor().id);
const press: CommandRequest = {
  commandId: "c1",
  controllerId: "c1",
  number: 1,
  command: "onoff",
  payload: 1,
  target: 1,
  maxRunSeconds: 600,
  by: { id: "u1", nickname: "Kim" },
  token: "token-of-kim",
  form: "controller",
  origin: "screen",
  traceId: "trace",
};

let redis: RunningRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

/** Return an account whose shard the node owns. */
function accountOf({ store }: ClusterNode): ProvenAccount {
  for (let n = 1; n < 10_000; n += 1) {
    const accountId = `account-${n}`;
    if (!store.shards.owns(shardOf(accountId))) continue;
    return { account: buildAccount({ id: accountId }), accountId, expiresAt: Date.now() + 3_600_000 };
  }
  throw new Error("the node owns nothing");
}

const moistureOf = (viewer: Viewer): unknown => Object(shown(viewer)[SENSOR]?.reading).moisture;

describe.each([
  ["this", "a later"],
  ["a later", "this"],
])("an account at a relay of %s version, seen from one of %s", (ofOwner) => {
  test("[NODE-6] is shown alike, commanded, and taken over with its state when the deploy continues", async () => {
    const api = createClusterApi();
    const options = { url: redis.url, prefix: newPrefix(), api };
    const present = startClusterNode("this", options);
    const later = startClusterNode("later", { ...options, speaking: ofLaterVersion });
    const nodes = [present, later];
    try {
      await shareAmong(nodes);
      const [owner, other] = ofOwner === "this" ? [present, later] : [later, present];
      const account = accountOf(owner);
      const publish = (moisture: number): void => {
        const at = new Date().toISOString();
        const entry = { ...buildLogEntry({ createdDate: at, moisture }), at, receivedAt: at };
        const payload = Buffer.from(JSON.stringify(entry));
        const topic = { kind: "sensor", userId: account.accountId, id: String(buildSensor().id) } as const;
        for (const { owners } of nodes) owners.receive({ topic, payload, arrivedAt: Date.now() });
      };

      const there = await other.owners.view(account, "t1");
      publish(31.5);
      await until(() => moistureOf(there) === 31.5);
      const service = await other.owners.service(account, "token-of-kim");
      expect(await service.command(press)).toMatchObject({ ok: true, record: { state: "accepted" } });
      expect(owner.commands).toMatchObject([{ commandId: "c1", token: "token-of-kim", maxRunSeconds: 600 }]);
      const alarms = await other.owners.alarms(account, "t1");
      expect(await alarms.list({ which: "present" })).toEqual([]);

      const { epoch } = there.devices;
      const asked = api.count(sensorList.path);
      await owner.close();
      nodes.splice(nodes.indexOf(owner), 1);
      await until(() => other.owners.stats().accounts === 1);
      publish(32.5);
      await until(() => moistureOf(there) === 32.5);
      expect(there.devices.epoch).toBe(epoch);
      expect(api.count(sensorList.path)).toBe(asked);
      expect(present.log.lines.filter(({ level }) => level === "error")).toEqual([]);
      // It received messages that it cannot know, and logged them.
      expect(present.log.lines.filter(({ message }) => /cannot read/.test(message))).not.toEqual([]);
    } finally {
      await Promise.all(nodes.map((node) => node.close()));
    }
  });
});
