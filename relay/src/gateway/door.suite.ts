// One suite for both doors: every rule of the protocol that shows on a socket. Long
// because the doors have to be the same in all of it.
import { readFileSync } from "node:fs";
import type { ServerMessage } from "@mulkko/shared/live/server-messages";
import { parseJson } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type GatewayRig, startGatewayRig } from "../testing/gateway-rig.ts";
import type { Connect, LiveClient } from "../testing/live-client.ts";

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

export function describeDoor(name: string, connect: Connect): void {
  describe(`${name} door`, () => {
    let rig: GatewayRig;
    let clients: LiveClient[] = [];

    async function enter(headers?: Readonly<Record<string, string>>): Promise<LiveClient> {
      const client = await connect(rig.origin, headers);
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
    /** Everything that the relay sent before now has arrived. */
    async function settle(client: LiveClient): Promise<void> {
      client.say({ t: "subscribe", stream: "events", position: { epoch: "epoch-a", offset: 0 } });
      await client.next("resumed");
    }

    /** Like `settle`, by a message that goes out whatever the window says. */
    async function settleSlow(client: LiveClient): Promise<void> {
      client.say({ t: "hello", protocol: 1, token: "again" });
      await client.next("error");
    }

    beforeEach(async () => {
      rig = await startGatewayRig();
      rig.farm.grant("token-a", "a");
      rig.farm.grant("token-b", "b");
      rig.farm.account("a").change({ "sensor:1": { reading: { moisture: 30 } } });
    });
    afterEach(async () => {
      for (const client of clients) client.leave();
      clients = [];
      await rig.app.close();
    });

    describe("hello", () => {
      it("[HS-1] closes with 4401 after 10 s without hello", async () => {
        const client = await enter();
        rig.timers.advance(10_000);
        expect(await client.gone).toBe(4401);
      });

      it("[HS-1] accepts nothing but hello before it, and hello after that", async () => {
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

      it("[HS-1] a subscription said together with hello waits for the welcome", async () => {
        const client = await enter();
        client.say({ t: "hello", protocol: 1, token: "token-a" });
        client.say({ t: "subscribe", stream: "devices" });
        await client.next("snapshot");
        expect(kinds(client)).toEqual(["welcome", "link", "snapshot"]);
      });

      it("[HS-3] refuses an unknown protocol with 4505 and names the one it speaks", async () => {
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

      it("[AUTH-4] an account that is disabled is closed with 4504", async () => {
        rig.farm.refuse("disabled");
        const client = await enter();
        client.say({ t: "hello", protocol: 1, token: "token-c" });
        expect(await client.gone).toBe(4504);
      });

      it("[AUTH-4] a new token while the upstream is away gets a temporary error and 4002", async () => {
        rig.farm.refuse("upstream-down");
        const client = await enter();
        client.say({ t: "hello", protocol: 1, token: "token-c" });
        expect(await client.next("error")).toMatchObject({ code: "upstream-down", temporary: true });
        expect(await client.gone).toBe(4002);
      });

      it("[AUTH-4] an account whose lists cannot be read is closed with 4002", async () => {
        rig.farm.breakViews();
        const client = await enter();
        client.say({ t: "hello", protocol: 1, token: "token-a" });
        expect(await client.gone).toBe(4002);
      });

      it("[gateway] an account that has as many sessions as it may is told to come later", async () => {
        await rig.app.close();
        rig = await startGatewayRig({ sessionsPerAccount: 1 });
        rig.farm.grant("token-a", "a");
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
      it.each(frames("invalid"))("[HS-5] answers $name with an error and goes on", async ({ text }) => {
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
          rig.farm.grant("token-a", "a", undefined, "ADMIN");
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

      it("[HS-5] answers the 21st message within 10 s with an error, and takes the next after them", async () => {
        const client = await greet();
        for (let count = 0; count < 20; count += 1) client.say({ t: "unsubscribe", stream: "events" });
        expect(await client.next("error")).toMatchObject({ code: "too-many-requests", temporary: true });
        rig.timers.advance(10_000);
        client.say({ t: "subscribe", stream: "devices" });
        await client.next("snapshot");
      });

      it("[HS-5] closes at once on a frame over 64 KiB, and stays up for others", async () => {
        const client = await greet();
        client.say({ t: "auth", token: "x".repeat(65 * 1024) });
        expect(await client.gone).toBeNull();
        await follow();
      });
    });

    describe("tokens", () => {
      it("[AUTH-1] takes a fresh token on the same connection, without a snapshot", async () => {
        const client = await follow();
        rig.farm.grant("token-a2", "a", 3_600_000);
        client.say({ t: "auth", token: "token-a2" });
        await settle(client);
        await keepAwake(client, 1_800_000 + 26_000);
        expect(kinds(client)).not.toContain("bye");
        expect(kinds(client).filter((t) => t === "snapshot" || t === "welcome")).toHaveLength(2);
        expect(rig.farm.account("a").tokens).toEqual(["token-a", "token-a2"]);
      });

      /** Lets time pass without the session falling silent. */
      async function keepAwake(client: LiveClient, ms: number): Promise<void> {
        for (let left = ms; left > 0; left -= 20_000) {
          client.say({ t: "unsubscribe", stream: "events" });
          await settle(client);
          rig.timers.advance(Math.min(20_000, left));
        }
      }

      it("[AUTH-2] ends a session 25 s after its token with 4401", async () => {
        rig.farm.grant("short", "a", 10_000);
        const client = await follow("short");
        rig.timers.advance(34_000);
        await settle(client);
        expect(kinds(client)).not.toContain("bye");
        rig.timers.advance(1_000);
        expect(await client.gone).toBe(4401);
      });

      it("[AUTH-2] a token of another account ends the session", async () => {
        const client = await follow();
        client.say({ t: "auth", token: "token-b" });
        expect(await client.gone).toBe(4401);
      });

      it("[AUTH-4] a token that is refused later ends its sessions and no others", async () => {
        const client = await follow();
        const other = await follow("token-b");
        rig.farm.prover.reject("token-a");
        expect(await client.gone).toBe(4401);
        rig.farm.account("b").change({ "sensor:9": { quality: "fresh" } });
        await other.next("change");
      });

      it("[AUTH-4] a renewal while the upstream is away keeps the session", async () => {
        const client = await follow();
        rig.farm.refuse("upstream-down");
        client.say({ t: "auth", token: "token-c" });
        expect(await client.next("error")).toMatchObject({ code: "upstream-down", temporary: true });
        rig.farm.account("a").change({ "sensor:1": { quality: "late" } });
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
        rig.farm.account("a").change({ "sensor:1": { reading: { moisture: 31 } } });
        rig.farm.account("a").change({ "sensor:2": { quality: "fresh" } }, ["sensor:1"]);
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

      it("[SUB-2] an account hears nothing of another's", async () => {
        const client = await follow();
        const neighbor = await follow("token-b");
        rig.farm.account("b").change({ "sensor:9": { quality: "fresh" } });
        await neighbor.next("change");
        await settle(client);
        expect(kinds(client)).not.toContain("change");
        expect(JSON.stringify(neighbor.received)).not.toContain("sensor:1");
      });

      it("[SUB-3] resumes from a position with whole values, keys that are gone, and resumed", async () => {
        const client = await greet();
        rig.farm.account("a").change({ "sensor:2": { a: 1, b: 2 } });
        rig.farm.account("a").change({ "sensor:2": { a: 1, b: 3 } }, ["sensor:1"]);
        client.say({ t: "subscribe", stream: "devices", position: { epoch: "epoch-a", offset: 1 } });
        expect(await client.next("change")).toMatchObject({
          from: 1,
          offset: 3,
          set: { "sensor:2": { a: 1, b: 3 } },
          del: ["sensor:1"],
        });
        expect(await client.next("resumed")).toMatchObject({ epoch: "epoch-a", offset: 3, changed: 2 });
      });

      it("[SUB-3] a position of another epoch, and one that lies ahead, get a snapshot", async () => {
        const client = await greet();
        client.say({ t: "subscribe", stream: "devices", position: { epoch: "other", offset: 1 } });
        expect(await client.next("snapshot")).toMatchObject({ epoch: "epoch-a", offset: 1 });
        client.say({ t: "subscribe", stream: "devices", position: { epoch: "epoch-a", offset: 7 } });
        expect(await client.next("snapshot")).toMatchObject({ epoch: "epoch-a", offset: 1 });
      });

      it("[SUB-4] events start with the newest 50 and go on one by one", async () => {
        for (let count = 1; count <= 60; count += 1) flip(count);
        const client = await greet();
        client.say({ t: "subscribe", stream: "events" });
        const { state } = await client.next("snapshot");
        expect(Array.isArray(state) && state.map(({ offset }) => offset)).toEqual(range(11, 60));
        flip(61);
        expect(await client.next("event")).toMatchObject({ offset: 61, event: { key: "sensor:61" } });
      });

      it("[SUB-5] never skips an event: what was missed is replayed in order, then resumed", async () => {
        for (let count = 1; count <= 250; count += 1) flip(count);
        const client = await greet();
        client.say({ t: "subscribe", stream: "events", position: { epoch: "epoch-a", offset: 5 } });
        expect(await client.next("resumed")).toMatchObject({ offset: 250, changed: 245 });
        const offsets = client.received.flatMap((message) => (message.t === "event" ? [message.offset] : []));
        expect(offsets).toEqual(range(6, 250));
      });

      it("[SUB-7] tracked keys: a snapshot of them, then frames from the session's own offset", async () => {
        const account = rig.farm.account("a");
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

      it("[SUB-7] tracked keys change at most once a second; what was subscribed stays", async () => {
        const client = await greet();
        client.say({ t: "subscribe", stream: "devices", track: ["sensor:1"] });
        await client.next("snapshot");
        client.say({ t: "subscribe", stream: "devices", track: ["sensor:2"] });
        expect(await client.next("error")).toMatchObject({ code: "too-many-requests", temporary: true });
        rig.farm.account("a").change({ "sensor:1": { quality: "late" } });
        expect(await client.next("change")).toMatchObject({ offset: 2 });
        rig.timers.advance(1_000);
        client.say({ t: "subscribe", stream: "devices", track: ["sensor:2"] });
        expect(await client.next("snapshot")).toMatchObject({ state: {} });
      });

      it("[SUB-1] nothing comes after unsubscribe", async () => {
        const client = await follow();
        client.say({ t: "unsubscribe", stream: "devices" });
        await settle(client);
        rig.farm.account("a").change({ "sensor:1": { quality: "late" } });
        client.say({ t: "unsubscribe", stream: "events" });
        await settle(client);
        expect(kinds(client)).not.toContain("change");
      });

      it("[SUB-2] a session that leaves gives its viewer back", async () => {
        const client = await follow();
        expect(rig.farm.account("a").viewers).toBe(1);
        client.leave();
        await expect.poll(() => rig.farm.account("a").viewers).toBe(0);
        expect(rig.metrics.tally("websocket").sessions + rig.metrics.tally("socketio").sessions).toBe(0);
      });

      const flip = (count: number): void =>
        rig.farm.account("a").event({
          kind: "flip",
          at: "2026-11-21T03:00:00.000Z",
          key: `sensor:${count}`,
          online: false,
          last: null,
        });
    });

    describe("administrators", () => {
      beforeEach(() => {
        rig.farm.grant("token-admin", "root", undefined, "ADMIN");
        rig.farm.fleet.change({ "device:1": { quality: "fresh" }, "device:2": { quality: "fresh" } });
      });

      it("[HS-2] a user who asks for the fleet, or for another account, is refused and stays", async () => {
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
        expect(rig.farm.fleet.viewers + rig.farm.account("b").viewers).toBe(0);
      });

      it("[SUB-1] the fleet comes as a snapshot, then as changes of its own name", async () => {
        const client = await greet("token-admin");
        client.say({ t: "subscribe", stream: "fleet" });
        expect(await client.next("snapshot")).toEqual({
          ...{ t: "snapshot", stream: "fleet", epoch: rig.farm.fleet.epoch, offset: 1, part: 1, of: 1 },
          state: { "device:1": { quality: "fresh" }, "device:2": { quality: "fresh" } },
        });
        rig.farm.fleet.change({ "device:1": { quality: "late" } }, ["device:2"]);
        expect(await client.next("change")).toEqual({
          ...{ t: "change", stream: "fleet", from: 1, offset: 2, del: ["device:2"] },
          patch: { "device:1": { quality: "late" } },
        });
      });

      it("[SUB-3] a position in the fleet resumes with what has changed since", async () => {
        rig.farm.fleet.change({ "device:1": { quality: "offline" } });
        const client = await greet("token-admin");
        const position = { epoch: rig.farm.fleet.epoch, offset: 1 };
        client.say({ t: "subscribe", stream: "fleet", position });
        expect(await client.next("change")).toEqual({
          ...{ t: "change", stream: "fleet", from: 1, offset: 2 },
          set: { "device:1": { quality: "offline" } },
        });
        const stands = { epoch: position.epoch, offset: 2, changed: 1 };
        expect(await client.next("resumed")).toEqual({ t: "resumed", stream: "fleet", ...stands });
      });

      it("[SUB-7] a phone tracks a few devices of the fleet", async () => {
        const client = await greet("token-admin");
        client.say({ t: "subscribe", stream: "fleet", track: ["device:2"] });
        expect(await client.next("snapshot")).toMatchObject({ state: { "device:2": { quality: "fresh" } } });
        rig.farm.fleet.change({ "device:1": { quality: "late" } });
        rig.farm.fleet.change({ "device:2": { quality: "late" } });
        expect(await client.next("change")).toMatchObject({ from: 1, offset: 3 });
      });

      it("[SUB-2] who leaves, or unsubscribes before the fleet is there, gives it back", async () => {
        const held = Promise.withResolvers<void>();
        rig.farm.holdFleet(held.promise);
        const client = await greet("token-admin");
        client.say({ t: "subscribe", stream: "fleet" });
        client.say({ t: "unsubscribe", stream: "fleet" });
        await settleSlow(client);
        held.resolve();
        await expect.poll(() => rig.farm.fleet.tokens).toEqual(["token-admin"]);
        expect(rig.farm.fleet.viewers).toBe(0);
        rig.farm.fleet.change({ "device:1": { quality: "late" } });
        client.say({ t: "subscribe", stream: "fleet" });
        expect(await client.next("snapshot")).toMatchObject({ stream: "fleet", offset: 2 });
        expect(rig.farm.fleet.viewers).toBe(1);
        client.leave();
        await expect.poll(() => rig.farm.fleet.viewers).toBe(0);
      });

      it("[HS-2] reads another account in the place of its own, whose session serves it", async () => {
        const client = await greet("token-admin");
        client.say({ t: "subscribe", stream: "devices", as: "a" });
        expect(await client.next("snapshot")).toMatchObject({
          stream: "devices",
          epoch: "epoch-a",
          state: { "sensor:1": { reading: { moisture: 30 } } },
        });
        rig.farm.account("a").change({ "sensor:1": { reading: { moisture: 31 } } });
        expect(await client.next("change")).toMatchObject({ stream: "devices", offset: 2 });
        // The administrator's own token would show the administrator's own farm.
        expect(rig.farm.account("a").tokens).toEqual(["nobody's"]);
        expect(rig.readings).toEqual([["root", "a"]]);
        client.say({ t: "subscribe", stream: "devices" });
        expect(await client.next("snapshot")).toMatchObject({ epoch: "epoch-root", state: {} });
        expect(rig.farm.account("a").viewers).toBe(0);
      });

      it("[HS-2] reads another account's events, and has no stream of it that there is none of", async () => {
        const client = await greet("token-admin");
        client.say({ t: "subscribe", stream: "events", as: "a" });
        expect(await client.next("snapshot")).toMatchObject({ stream: "events", epoch: "epoch-a" });
        client.say({ t: "subscribe", stream: "fleet", as: "a" });
        expect(await client.next("error")).toMatchObject({ code: "not-found", ref: "subscribe" });
      });

      it("[HS-2] what cannot be read is said, and the session goes on with its own", async () => {
        const client = await greet("token-admin");
        rig.farm.breakViews();
        client.say({ t: "subscribe", stream: "devices", as: "a" });
        expect(await client.next("error")).toMatchObject({ code: "forbidden", temporary: true });
        client.say({ t: "subscribe", stream: "fleet" });
        expect(await client.next("error")).toMatchObject({ code: "upstream-down", temporary: true });
        client.say({ t: "subscribe", stream: "devices" });
        expect(await client.next("snapshot")).toMatchObject({ epoch: "epoch-root" });
      });

      it("[AUTH-1] a fresh token goes on to the fleet; one that is no administrator's any more ends it", async () => {
        const client = await greet("token-admin");
        client.say({ t: "subscribe", stream: "fleet" });
        await client.next("snapshot");
        rig.farm.grant("token-admin-2", "root", undefined, "ADMIN");
        client.say({ t: "auth", token: "token-admin-2" });
        await expect.poll(() => rig.farm.fleet.tokens).toEqual(["token-admin", "token-admin-2"]);
        rig.farm.grant("token-user", "root", undefined, "USER");
        client.say({ t: "auth", token: "token-user" });
        expect(await client.next("error")).toMatchObject({ code: "forbidden", temporary: false });
        expect(rig.farm.fleet.viewers).toBe(0);
        client.say({ t: "subscribe", stream: "fleet" });
        expect(await client.next("error")).toMatchObject({ code: "forbidden" });
      });
    });

    describe("slow consumers", () => {
      /** Changes one key with 512 bytes of text. */
      const grow = (count: number): void =>
        rig.farm.account("a").change({ [`sensor:${count % 10}`]: { count, text: `${count}${HALF_KIB}` } });

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

      it("[SLOW-1] other sessions get every frame meanwhile", async () => {
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

      it("[SLOW-1] events that could not be sent follow from the log, none missing", async () => {
        const client = await greet();
        client.say({ t: "subscribe", stream: "events" });
        await client.next("snapshot");
        client.holdMarkers();
        for (let count = 1; count <= 600; count += 1) {
          rig.farm.account("a").event({
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

      it("[SLOW-2] says 4008 when a marker has not come back for 60 s", async () => {
        const client = await follow();
        client.holdMarkers();
        for (let count = 1; count <= 100; count += 1) grow(count);
        await expect.poll(() => client.heldMarkers).toBeGreaterThan(0);
        rig.timers.advance(30_000);
        await settleSlow(client);
        rig.timers.advance(30_000);
        expect(await client.gone).toBe(4008);
      });

      it("[SLOW-3] sends a large snapshot in parts of 32 KiB, two in flight, all of one offset", async () => {
        const big = Object.fromEntries(
          Array.from({ length: 400 }, (_, index) => [`sensor:${index}`, { text: HALF_KIB, index }]),
        );
        rig.farm.account("a").change(big);
        const client = await greet();
        client.holdMarkers();
        client.say({ t: "subscribe", stream: "devices" });
        await expect.poll(() => client.heldMarkers).toBe(2);
        await settleSlow(client);
        expect(kinds(client).filter((t) => t === "snapshot")).toHaveLength(2);
        rig.farm.account("a").change({ "sensor:7": { text: "new" } });
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
      it("[LIVE-1] says beat after 15 s of silence", async () => {
        const client = await follow();
        rig.timers.advance(14_999);
        await settle(client);
        expect(kinds(client)).not.toContain("beat");
        rig.timers.advance(15_000);
        expect(await client.next("beat")).toEqual({ t: "beat", serverTime: "2026-11-21T03:00:29.999Z" });
      });

      it("[LIVE-1] ends a session that sent nothing for 50 s", async () => {
        const client = await follow();
        client.holdMarkers();
        rig.timers.advance(50_000);
        expect(await client.gone).toBeNull();
      });

      it("[LIVE-3] says 4001 to everyone when the node goes down, with a time to come back", async () => {
        const client = await follow();
        const closed = rig.app.close();
        expect(await client.next("bye")).toMatchObject({ code: 4001, retryAfterMs: 5_000 });
        expect(await client.gone).toBe(4001);
        await closed;
      });

      it("[ONL-4] link follows the welcome, and every change of it", async () => {
        const client = await follow();
        rig.link.become({ upstream: "down", heardAt: null });
        expect(await client.next("link")).toMatchObject({ upstream: "down", mqtt: "up", heardAt: null });
      });
    });

    describe("who may connect", () => {
      it("[gateway] a page of another origin is not let in; one that is named, and no page at all, are", async () => {
        await expect(connect(rig.origin, { origin: "https://evil.example" })).rejects.toThrow();
        await enter({ origin: "https://farm.example" });
        await enter({ origin: rig.origin });
        await greet();
      });

      it("[gateway] an address has a limited number of connections, and gets them back", async () => {
        await rig.app.close();
        rig = await startGatewayRig({ sessionsPerAddress: 2 });
        rig.farm.grant("token-a", "a");
        const first = await enter();
        await enter();
        await expect(connect(rig.origin)).rejects.toThrow();
        first.leave();
        await first.gone;
        await expect
          .poll(() =>
            connect(rig.origin).then(
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
