// One suite for both transports: every rule of the protocol that is visible on a socket. Long because the
// transports must be equal in all of it.
import { readFileSync } from "node:fs";
import type { ServerMessage } from "@mulkko/shared/live/server-messages";
import { parseJson } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type GatewayHarness, startGatewayHarness } from "../../testing/gateway-harness.ts";
import type { Connect, LiveClient } from "../../testing/live-client.ts";

const Frames = Type.Object({
  client: Type.Array(
    Type.Object({
      name: Type.String(),
      text: Type.Optional(Type.String()),
      message: Type.Optional(Type.Unknown()),
    }),
  ),
});

function frames(file: "valid" | "invalid") {
  const url = new URL(`../../../shared/conformance/${file}.json`, import.meta.url);
  const parsed = parseJson(Frames, readFileSync(url, "utf8"));
  if (!parsed.ok) throw new Error(`${file} ${parsed.path} ${parsed.message}`);
  return parsed.value.client.map(({ name, text, message }) => ({
    name,
    text: text ?? JSON.stringify(message),
  }));
}

const kinds = (client: LiveClient): ServerMessage["t"][] => client.received.map(({ t }) => t);
const HALF_KIB = "x".repeat(512);

export function describeTransport(name: string, connect: Connect): void {
  describe(`${name} transport`, () => {
    let harness: GatewayHarness;
    let clients: LiveClient[] = [];

    async function enter(headers?: Readonly<Record<string, string>>): Promise<LiveClient> {
      const client = await connect(harness.origin, headers);
      clients.push(client);
      return client;
    }
    async function greet(token = "token-a"): Promise<LiveClient> {
      const client = await enter();
      client.say({ t: "hello", protocol: 1, token });
      await client.next("link");
      return client;
    }
    async function follow(token = "token-a"): Promise<LiveClient> {
      const client = await greet(token);
      client.say({ t: "subscribe", stream: "devices" });
      await client.next("snapshot");
      return client;
    }
    /** Wait until everything that the relay has sent has arrived. */
    async function settle(client: LiveClient): Promise<void> {
      client.say({ t: "subscribe", stream: "events", position: { epoch: "epoch-a", offset: 0 } });
      await client.next("resumed");
    }

    /** Do the same as `settle` with a message that ignores the window. */
    async function settleSlow(client: LiveClient): Promise<void> {
      client.say({ t: "hello", protocol: 1, token: "again" });
      await client.next("error");
    }

    beforeEach(async () => {
      harness = await startGatewayHarness();
      harness.farm.grant("token-a", "a");
      harness.farm.grant("token-b", "b");
      harness.farm.account("a").change({ "sensor:1": { reading: { moisture: 30 } } });
    });
    afterEach(async () => {
      for (const client of clients) client.leave();
      clients = [];
      await harness.app.close();
    });

    describe("hello", () => {
      it("[HS-1] closes with 4401 after 10 s without hello", async () => {
        const client = await enter();
        harness.timers.advance(10_000);
        expect(await client.gone).toBe(4401);
      });

      it("[HS-1] accepts only hello at first, and no second one", async () => {
        const client = await enter();
        client.say({ t: "subscribe", stream: "devices" });
        expect(await client.next("error")).toMatchObject({ code: "bad-message", ref: "subscribe" });
        client.say({ t: "hello", protocol: 1, token: "token-a" });
        expect(await client.next("welcome")).toMatchObject({
          protocol: 1,
          node: "node-1",
          build: "build-1",
          apiTimezone: "Asia/Seoul",
          ttl: 1_800,
          account: { id: "a", userType: "USER" },
        });
      });

      it("[HS-1] a subscription sent together with hello waits for the welcome", async () => {
        const client = await enter();
        client.say({ t: "hello", protocol: 1, token: "token-a" });
        client.say({ t: "subscribe", stream: "devices" });
        await client.next("snapshot");
        expect(kinds(client)).toEqual(["welcome", "link", "snapshot"]);
      });

      it("[HS-3] refuses an unknown protocol with 4505, and names the supported one", async () => {
        const client = await enter();
        client.say({ t: "hello", protocol: 2, token: "token-a" });
        expect(await client.next("bye")).toMatchObject({
          code: 4505,
          reason: "this relay speaks protocol 1",
        });
        expect(await client.gone).toBe(4505);
      });

      it("[AUTH-4] a token that the upstream rejects is closed with 4401", async () => {
        const client = await enter();
        client.say({ t: "hello", protocol: 1, token: "stolen" });
        expect(await client.next("error")).toMatchObject({ code: "token-expired", temporary: false });
        expect(await client.gone).toBe(4401);
      });

      it("[AUTH-4] a disabled account is closed with 4504", async () => {
        harness.farm.refuse("disabled");
        const client = await enter();
        client.say({ t: "hello", protocol: 1, token: "token-c" });
        expect(await client.gone).toBe(4504);
      });

      it("[AUTH-4] a new token while the upstream is away gets a temporary error and 4002", async () => {
        harness.farm.refuse("upstream-down");
        const client = await enter();
        client.say({ t: "hello", protocol: 1, token: "token-c" });
        expect(await client.next("error")).toMatchObject({ code: "upstream-down", temporary: true });
        expect(await client.gone).toBe(4002);
      });

      it("[AUTH-4] an account whose lists cannot be read is closed with 4002", async () => {
        harness.farm.breakViews();
        const client = await enter();
        client.say({ t: "hello", protocol: 1, token: "token-a" });
        expect(await client.gone).toBe(4002);
      });

      it("[gateway] an account with the maximum of sessions is asked to try later", async () => {
        await harness.app.close();
        harness = await startGatewayHarness({ sessionsPerAccount: 1 });
        harness.farm.grant("token-a", "a");
        const first = await greet();
        const second = await enter();
        second.say({ t: "hello", protocol: 1, token: "token-a" });
        expect(await second.gone).toBe(1013);
        first.leave();
        await first.gone;
        await greet();
      });
    });

    describe("malformed input", () => {
      it.each(frames("invalid"))("[HS-5] answers $name with an error, and continues", async ({ text }) => {
        const client = await greet();
        client.sayText(text);
        expect(await client.next("error")).toMatchObject({ code: "bad-message", temporary: false });
        client.say({ t: "subscribe", stream: "devices" });
        await client.next("snapshot");
      });

      it.each(frames("valid").filter(({ name }) => !name.startsWith("hello") && name !== "auth"))(
        "[HS-5] accepts $name",
        async ({ text }) => {
          // Some streams are for administrators.
          harness.farm.grant("token-a", "a", undefined, "ADMIN");
          const client = await greet();
          client.sayText(text);
          await settle(client);
          expect(kinds(client)).not.toContain("error");
        },
      );

      it("[HS-5] closes with 4400 at the tenth bad message", async () => {
        const client = await greet();
        for (let count = 0; count < 10; count += 1) client.sayText("[]");
        expect(await client.gone).toBe(4400);
        expect(kinds(client).filter((t) => t === "error")).toHaveLength(10);
      });

      it("[HS-5] answers the 21st message within 10 s with an error, and accepts the next after them", async () => {
        const client = await greet();
        for (let count = 0; count < 20; count += 1) client.say({ t: "unsubscribe", stream: "events" });
        expect(await client.next("error")).toMatchObject({ code: "too-many-requests", temporary: true });
        harness.timers.advance(10_000);
        client.say({ t: "subscribe", stream: "devices" });
        await client.next("snapshot");
      });

      it("[HS-5] closes at once on a frame over 64 KiB, and stays available for others", async () => {
        const client = await greet();
        client.say({ t: "auth", token: "x".repeat(65 * 1024) });
        expect(await client.gone).toBeNull();
        await follow();
      });
    });

    describe("tokens", () => {
      it("[AUTH-1] accepts a fresh token on the same connection, without a snapshot", async () => {
        const client = await follow();
        harness.farm.grant("token-a2", "a", 3_600_000);
        client.say({ t: "auth", token: "token-a2" });
        await settle(client);
        await keepAwake(client, 1_800_000 + 26_000);
        expect(kinds(client)).not.toContain("bye");
        expect(kinds(client).filter((t) => t === "snapshot" || t === "welcome")).toHaveLength(2);
        expect(harness.farm.account("a").tokens).toEqual(["token-a", "token-a2"]);
      });

      /** Let time pass while the session stays active. */
      async function keepAwake(client: LiveClient, ms: number): Promise<void> {
        for (let left = ms; left > 0; left -= 20_000) {
          client.say({ t: "unsubscribe", stream: "events" });
          await settle(client);
          harness.timers.advance(Math.min(20_000, left));
        }
      }

      it("[AUTH-2] ends a session 25 s after its token with 4401", async () => {
        harness.farm.grant("short", "a", 10_000);
        const client = await follow("short");
        harness.timers.advance(34_000);
        await settle(client);
        expect(kinds(client)).not.toContain("bye");
        harness.timers.advance(1_000);
        expect(await client.gone).toBe(4401);
      });

      it("[AUTH-2] a token of another account ends the session", async () => {
        const client = await follow();
        client.say({ t: "auth", token: "token-b" });
        expect(await client.gone).toBe(4401);
      });

      it("[AUTH-4] a token refused later ends its sessions and no others", async () => {
        const client = await follow();
        const other = await follow("token-b");
        harness.farm.prover.reject("token-a");
        expect(await client.gone).toBe(4401);
        harness.farm.account("b").change({ "sensor:9": { quality: "fresh" } });
        await other.next("change");
      });

      it("[AUTH-4] a renewal while the upstream is away keeps the session", async () => {
        const client = await follow();
        harness.farm.refuse("upstream-down");
        client.say({ t: "auth", token: "token-c" });
        expect(await client.next("error")).toMatchObject({ code: "upstream-down", temporary: true });
        harness.farm.account("a").change({ "sensor:1": { quality: "late" } });
        await client.next("change");
      });
    });

    describe("streams", () => {
      it("[SUB-1] a snapshot is followed by every change, each from the offset before", async () => {
        const client = await greet();
        client.say({ t: "subscribe", stream: "devices" });
        expect(await client.next("snapshot")).toMatchObject({
          offset: 1,
          part: 1,
          of: 1,
          state: { "sensor:1": { reading: { moisture: 30 } } },
        });
        harness.farm.account("a").change({ "sensor:1": { reading: { moisture: 31 } } });
        harness.farm.account("a").change({ "sensor:2": { quality: "fresh" } }, ["sensor:1"]);
        expect(await client.next("change")).toMatchObject({
          from: 1,
          offset: 2,
          patch: { "sensor:1": { reading: { moisture: 31 } } },
        });
        expect(await client.next("change")).toMatchObject({
          from: 2,
          offset: 3,
          set: { "sensor:2": { quality: "fresh" } },
          del: ["sensor:1"],
        });
      });

      it("[SUB-2] an account receives nothing of another's", async () => {
        const client = await follow();
        const neighbor = await follow("token-b");
        harness.farm.account("b").change({ "sensor:9": { quality: "fresh" } });
        await neighbor.next("change");
        await settle(client);
        expect(kinds(client)).not.toContain("change");
        expect(JSON.stringify(neighbor.received)).not.toContain("sensor:1");
      });

      it("[SUB-3] resumes from a position with whole values, removed keys, and resumed", async () => {
        const client = await greet();
        harness.farm.account("a").change({ "sensor:2": { a: 1, b: 2 } });
        harness.farm.account("a").change({ "sensor:2": { a: 1, b: 3 } }, ["sensor:1"]);
        client.say({ t: "subscribe", stream: "devices", position: { epoch: "epoch-a", offset: 1 } });
        expect(await client.next("change")).toMatchObject({
          from: 1,
          offset: 3,
          set: { "sensor:2": { a: 1, b: 3 } },
          del: ["sensor:1"],
        });
        expect(await client.next("resumed")).toMatchObject({ epoch: "epoch-a", offset: 3, changed: 2 });
      });

      it("[SUB-3] a position of another epoch, or ahead of the stream, gets a snapshot", async () => {
        const client = await greet();
        client.say({ t: "subscribe", stream: "devices", position: { epoch: "other", offset: 1 } });
        expect(await client.next("snapshot")).toMatchObject({ epoch: "epoch-a", offset: 1 });
        client.say({ t: "subscribe", stream: "devices", position: { epoch: "epoch-a", offset: 7 } });
        expect(await client.next("snapshot")).toMatchObject({ epoch: "epoch-a", offset: 1 });
      });

      it("[SUB-4] events start with the newest 50 and continue one by one", async () => {
        for (let count = 1; count <= 60; count += 1) flip(count);
        const client = await greet();
        client.say({ t: "subscribe", stream: "events" });
        const { state } = await client.next("snapshot");
        expect(Array.isArray(state) && state.map(({ offset }) => offset)).toEqual(range(11, 60));
        flip(61);
        expect(await client.next("event")).toMatchObject({ offset: 61, event: { key: "sensor:61" } });
      });

      it("[SUB-5] never skips an event: replays the missed ones in order, then resumes", async () => {
        for (let count = 1; count <= 250; count += 1) flip(count);
        const client = await greet();
        client.say({ t: "subscribe", stream: "events", position: { epoch: "epoch-a", offset: 5 } });
        expect(await client.next("resumed")).toMatchObject({ offset: 250, changed: 245 });
        const offsets = client.received.flatMap((message) => (message.t === "event" ? [message.offset] : []));
        expect(offsets).toEqual(range(6, 250));
      });

      it("[SUB-7] tracked keys: a snapshot of them, then frames from the session's own offset", async () => {
        const account = harness.farm.account("a");
        account.change({ "sensor:2": { quality: "fresh" }, "sensor:3": { quality: "fresh" } });
        const client = await greet();
        client.say({ t: "subscribe", stream: "devices", track: ["sensor:2"] });
        expect(await client.next("snapshot")).toMatchObject({
          state: { "sensor:2": { quality: "fresh" } },
          offset: 2,
        });
        account.change({ "sensor:1": { quality: "late" } });
        account.change({ "sensor:3": { quality: "late" } });
        account.change({ "sensor:2": { quality: "late" }, "sensor:3": { quality: "offline" } });
        expect(await client.next("change")).toEqual({
          t: "change",
          stream: "devices",
          from: 2,
          offset: 5,
          set: { "sensor:2": { quality: "late" } },
        });
        expect(account.tracked).toEqual([new Set(["sensor:2"])]);
      });

      it("[SUB-7] tracked keys change at most once a second; the earlier subscription stays", async () => {
        const client = await greet();
        client.say({ t: "subscribe", stream: "devices", track: ["sensor:1"] });
        await client.next("snapshot");
        client.say({ t: "subscribe", stream: "devices", track: ["sensor:2"] });
        expect(await client.next("error")).toMatchObject({ code: "too-many-requests", temporary: true });
        harness.farm.account("a").change({ "sensor:1": { quality: "late" } });
        expect(await client.next("change")).toMatchObject({ offset: 2 });
        harness.timers.advance(1_000);
        client.say({ t: "subscribe", stream: "devices", track: ["sensor:2"] });
        expect(await client.next("snapshot")).toMatchObject({ state: {} });
      });

      it("[SUB-1] sends nothing after unsubscribe", async () => {
        const client = await follow();
        client.say({ t: "unsubscribe", stream: "devices" });
        await settle(client);
        harness.farm.account("a").change({ "sensor:1": { quality: "late" } });
        client.say({ t: "unsubscribe", stream: "events" });
        await settle(client);
        expect(kinds(client)).not.toContain("change");
      });

      it("[SUB-2] a disconnected session releases its viewer", async () => {
        const client = await follow();
        expect(harness.farm.account("a").viewers).toBe(1);
        client.leave();
        await expect.poll(() => harness.farm.account("a").viewers).toBe(0);
        expect(harness.metrics.tally("websocket").sessions + harness.metrics.tally("socketio").sessions).toBe(
          0,
        );
      });

      const flip = (count: number): void =>
        harness.farm.account("a").event({
          kind: "flip",
          at: "2026-11-21T03:00:00.000Z",
          key: `sensor:${count}`,
          online: false,
          last: null,
        });
    });

    describe("administrators", () => {
      beforeEach(() => {
        harness.farm.grant("token-admin", "root", undefined, "ADMIN");
        harness.farm.fleet.change({ "device:1": { quality: "fresh" }, "device:2": { quality: "fresh" } });
      });

      it("[HS-2] a user who requests the fleet, or another account, is refused and stays connected", async () => {
        const client = await greet();
        client.say({ t: "subscribe", stream: "fleet" });
        expect(await client.next("error")).toEqual({
          t: "error",
          code: "forbidden",
          message: "for administrators only",
          temporary: false,
          ref: "subscribe",
        });
        client.say({ t: "subscribe", stream: "devices", as: "b" });
        expect(await client.next("error")).toMatchObject({ code: "forbidden", ref: "subscribe" });
        client.say({ t: "subscribe", stream: "devices", as: "a" });
        expect(await client.next("snapshot")).toMatchObject({ stream: "devices" });
        expect(harness.farm.fleet.viewers + harness.farm.account("b").viewers).toBe(0);
      });

      it("[SUB-1] the fleet is sent as a snapshot, then as changes named after its stream", async () => {
        const client = await greet("token-admin");
        client.say({ t: "subscribe", stream: "fleet" });
        expect(await client.next("snapshot")).toEqual({
          ...{ t: "snapshot", stream: "fleet", epoch: harness.farm.fleet.epoch, offset: 1, part: 1, of: 1 },
          state: { "device:1": { quality: "fresh" }, "device:2": { quality: "fresh" } },
        });
        harness.farm.fleet.change({ "device:1": { quality: "late" } }, ["device:2"]);
        expect(await client.next("change")).toEqual({
          ...{ t: "change", stream: "fleet", from: 1, offset: 2, del: ["device:2"] },
          patch: { "device:1": { quality: "late" } },
        });
      });

      it("[SUB-3] a position in the fleet resumes with the changes since", async () => {
        harness.farm.fleet.change({ "device:1": { quality: "offline" } });
        const client = await greet("token-admin");
        const position = { epoch: harness.farm.fleet.epoch, offset: 1 };
        client.say({ t: "subscribe", stream: "fleet", position });
        expect(await client.next("change")).toEqual({
          ...{ t: "change", stream: "fleet", from: 1, offset: 2 },
          set: { "device:1": { quality: "offline" } },
        });
        const reached = { epoch: position.epoch, offset: 2, changed: 1 };
        expect(await client.next("resumed")).toEqual({ t: "resumed", stream: "fleet", ...reached });
      });

      it("[SUB-7] a phone tracks a few devices of the fleet", async () => {
        const client = await greet("token-admin");
        client.say({ t: "subscribe", stream: "fleet", track: ["device:2"] });
        expect(await client.next("snapshot")).toMatchObject({ state: { "device:2": { quality: "fresh" } } });
        harness.farm.fleet.change({ "device:1": { quality: "late" } });
        harness.farm.fleet.change({ "device:2": { quality: "late" } });
        expect(await client.next("change")).toMatchObject({ from: 1, offset: 3 });
      });

      it("[SUB-2] a disconnect, or unsubscribe before the fleet is ready, releases it", async () => {
        const held = Promise.withResolvers<void>();
        harness.farm.holdFleet(held.promise);
        const client = await greet("token-admin");
        client.say({ t: "subscribe", stream: "fleet" });
        client.say({ t: "unsubscribe", stream: "fleet" });
        await settleSlow(client);
        held.resolve();
        await expect.poll(() => harness.farm.fleet.tokens).toEqual(["token-admin"]);
        expect(harness.farm.fleet.viewers).toBe(0);
        harness.farm.fleet.change({ "device:1": { quality: "late" } });
        client.say({ t: "subscribe", stream: "fleet" });
        expect(await client.next("snapshot")).toMatchObject({ stream: "fleet", offset: 2 });
        expect(harness.farm.fleet.viewers).toBe(1);
        client.leave();
        await expect.poll(() => harness.farm.fleet.viewers).toBe(0);
      });

      it("[HS-2] reads another account in place of its own, through that account's session", async () => {
        const client = await greet("token-admin");
        client.say({ t: "subscribe", stream: "devices", as: "a" });
        expect(await client.next("snapshot")).toMatchObject({
          stream: "devices",
          epoch: "epoch-a",
          state: { "sensor:1": { reading: { moisture: 30 } } },
        });
        harness.farm.account("a").change({ "sensor:1": { reading: { moisture: 31 } } });
        expect(await client.next("change")).toMatchObject({ stream: "devices", offset: 2 });
        // The administrator's own token would show the administrator's own farm.
        expect(harness.farm.account("a").tokens).toEqual(["nobody's"]);
        expect(harness.readings).toEqual([["root", "a"]]);
        client.say({ t: "subscribe", stream: "devices" });
        expect(await client.next("snapshot")).toMatchObject({ epoch: "epoch-root", state: {} });
        expect(harness.farm.account("a").viewers).toBe(0);
      });

      it("[HS-2] reads another account's events, and no stream that another account does not have", async () => {
        const client = await greet("token-admin");
        client.say({ t: "subscribe", stream: "events", as: "a" });
        expect(await client.next("snapshot")).toMatchObject({ stream: "events", epoch: "epoch-a" });
        client.say({ t: "subscribe", stream: "fleet", as: "a" });
        expect(await client.next("error")).toMatchObject({ code: "not-found", ref: "subscribe" });
      });

      it("[HS-2] reports what cannot be read, and continues with its own streams", async () => {
        const client = await greet("token-admin");
        harness.farm.breakViews();
        client.say({ t: "subscribe", stream: "devices", as: "a" });
        expect(await client.next("error")).toMatchObject({ code: "forbidden", temporary: true });
        client.say({ t: "subscribe", stream: "fleet" });
        expect(await client.next("error")).toMatchObject({ code: "upstream-down", temporary: true });
        client.say({ t: "subscribe", stream: "devices" });
        expect(await client.next("snapshot")).toMatchObject({ epoch: "epoch-root" });
      });

      it("[AUTH-1] passes a fresh token on to the fleet, which ends for a token without the role", async () => {
        const client = await greet("token-admin");
        client.say({ t: "subscribe", stream: "fleet" });
        await client.next("snapshot");
        harness.farm.grant("token-admin-2", "root", undefined, "ADMIN");
        client.say({ t: "auth", token: "token-admin-2" });
        await expect.poll(() => harness.farm.fleet.tokens).toEqual(["token-admin", "token-admin-2"]);
        harness.farm.grant("token-user", "root", undefined, "USER");
        client.say({ t: "auth", token: "token-user" });
        expect(await client.next("error")).toMatchObject({ code: "forbidden", temporary: false });
        expect(harness.farm.fleet.viewers).toBe(0);
        client.say({ t: "subscribe", stream: "fleet" });
        expect(await client.next("error")).toMatchObject({ code: "forbidden" });
      });
    });

    describe("slow consumers", () => {
      /** Change one key with 512 bytes of text. */
      const grow = (count: number): void =>
        harness.farm
          .account("a")
          .change({ [`sensor:${count % 10}`]: { count, text: `${count}${HALF_KIB}` } });

      it("[SLOW-1] holds frames back beyond 64 KiB, then sends one catch-up of the latest values", async () => {
        const client = await follow();
        client.holdMarkers();
        for (let count = 1; count <= 400; count += 1) grow(count);
        await expect.poll(() => client.heldMarkers).toBeGreaterThan(0);
        await settleSlow(client);
        const before = client.received.length;
        const sent = client.sizes.reduce((sum, bytes) => sum + bytes, 0);
        expect(sent).toBeLessThanOrEqual(64 * 1024 + 2_048);
        client.releaseMarkers();
        await expect.poll(() => lastOffset(client)).toBe(401);
        const caught = client.received.slice(before).filter(({ t }) => t === "change");
        expect(caught).toHaveLength(1);
        expect(caught[0]).toMatchObject({ set: { "sensor:9": { count: 399 }, "sensor:0": { count: 400 } } });
      });

      it("[SLOW-1] sends every frame to other sessions meanwhile", async () => {
        const slow = await follow();
        const quick = await follow();
        slow.holdMarkers();
        for (let round = 0; round < 20; round += 1) {
          for (let count = 1; count <= 10; count += 1) grow(round * 10 + count);
          await expect.poll(() => lastOffset(quick)).toBe(1 + (round + 1) * 10);
        }
        expect(quick.received.filter(({ t }) => t === "change")).toHaveLength(200);
        expect(lastOffset(slow)).toBeLessThan(201);
      });

      it("[SLOW-1] sends delayed events from the log later, none missing", async () => {
        const client = await greet();
        client.say({ t: "subscribe", stream: "events" });
        await client.next("snapshot");
        client.holdMarkers();
        for (let count = 1; count <= 600; count += 1) {
          harness.farm.account("a").event({
            kind: "notification",
            at: "2026-11-21T03:00:00.000Z",
            id: count,
            type: "DEVICE",
            message: HALF_KIB,
            createdDate: "2026-11-21T03:00:00.000Z",
            unread: true,
          });
        }
        client.releaseMarkers();
        await expect.poll(() => client.received.filter(({ t }) => t === "event").length).toBe(600);
        const offsets = client.received.flatMap((message) => (message.t === "event" ? [message.offset] : []));
        expect(offsets).toEqual(range(1, 600));
      });

      it("[SLOW-2] closes with 4008 when a marker has not come back for 60 s", async () => {
        const client = await follow();
        client.holdMarkers();
        for (let count = 1; count <= 100; count += 1) grow(count);
        await expect.poll(() => client.heldMarkers).toBeGreaterThan(0);
        harness.timers.advance(30_000);
        await settleSlow(client);
        harness.timers.advance(30_000);
        expect(await client.gone).toBe(4008);
      });

      it("[SLOW-3] sends a large snapshot in parts of 32 KiB, two in flight, all of one offset", async () => {
        const big = Object.fromEntries(
          Array.from({ length: 400 }, (_, index) => [`sensor:${index}`, { text: HALF_KIB, index }]),
        );
        harness.farm.account("a").change(big);
        const client = await greet();
        client.holdMarkers();
        client.say({ t: "subscribe", stream: "devices" });
        await expect.poll(() => client.heldMarkers).toBe(2);
        await settleSlow(client);
        expect(kinds(client).filter((t) => t === "snapshot")).toHaveLength(2);
        harness.farm.account("a").change({ "sensor:7": { text: "new" } });
        client.releaseMarkers();
        const change = await client.next("change");
        const parts = client.received.flatMap((message) => (message.t === "snapshot" ? [message] : []));
        expect(parts.map(({ part, of, offset }) => [part, of, offset])).toEqual(
          parts.map((_, index) => [index + 1, parts.length, 2]),
        );
        expect(Math.max(...client.sizes)).toBeLessThan(33 * 1024);
        expect(Object.keys(Object.assign({}, ...parts.map(({ state }) => state)))).toHaveLength(400);
        expect(change).toMatchObject({ from: 2, offset: 3, set: { "sensor:7": { text: "new" } } });
      });
    });

    describe("liveness", () => {
      it("[LIVE-1] sends beat after 15 s of silence", async () => {
        const client = await follow();
        harness.timers.advance(14_999);
        await settle(client);
        expect(kinds(client)).not.toContain("beat");
        harness.timers.advance(15_000);
        expect(await client.next("beat")).toMatchObject({ serverTime: "2026-11-21T03:00:29.999Z" });
      });

      it("[LINK-2] says in each beat when the farm API answered last, also while nothing else changes", async () => {
        const client = await follow();
        harness.link.become({ heardAt: harness.clock.now() });
        harness.timers.advance(30_000);
        expect(await client.next("beat")).toMatchObject({ heardAt: "2026-11-21T03:00:00.000Z" });
      });

      it("[LIVE-1] ends a session that sent nothing for 50 s", async () => {
        const client = await follow();
        client.holdMarkers();
        harness.timers.advance(50_000);
        expect(await client.gone).toBeNull();
      });

      it("[LIVE-3] sends 4001 to every client when the node shuts down, with a time to reconnect", async () => {
        const client = await follow();
        const closed = harness.app.close();
        expect(await client.next("bye")).toMatchObject({ code: 4001, retryAfterMs: 5_000 });
        expect(await client.gone).toBe(4001);
        await closed;
      });

      it("[ONL-4] link follows the welcome, and every change of it", async () => {
        const client = await follow();
        harness.link.become({ upstream: "down", heardAt: null });
        expect(await client.next("link")).toMatchObject({ upstream: "down", mqtt: "up", heardAt: null });
      });
    });

    describe("permitted connections", () => {
      it("[gateway] rejects a page of another origin; accepts a named one, and clients without a page", async () => {
        await expect(connect(harness.origin, { origin: "https://evil.example" })).rejects.toThrow();
        await enter({ origin: "https://farm.example" });
        await enter({ origin: harness.origin });
        await greet();
      });

      it("[gateway] limits the connections of an address, and releases them", async () => {
        await harness.app.close();
        harness = await startGatewayHarness({ sessionsPerAddress: 2 });
        harness.farm.grant("token-a", "a");
        const first = await enter();
        await enter();
        await expect(connect(harness.origin)).rejects.toThrow();
        first.leave();
        await first.gone;
        await expect
          .poll(() =>
            connect(harness.origin).then(
              (client) => clients.push(client),
              () => 0,
            ),
          )
          .toBeGreaterThan(0);
      });
    });
  });
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

function lastOffset(client: LiveClient): number {
  const offsets = client.received.flatMap((message) =>
    message.t === "change" || message.t === "snapshot" ? [message.offset] : [],
  );
  return offsets.at(-1) ?? 0;
}
