import { readFileSync } from "node:fs";
import { parseJson } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type GatewayHarness, startGatewayHarness } from "../../testing/gateway-harness.ts";
import {
  type Connect,
  connectPolling,
  connectSocketIo,
  connectWebSocket,
} from "../../testing/live-client.ts";
import { createVisits } from "../../testing/visits.ts";

const Frames = Type.Object({
  client: Type.Array(
    Type.Object({
      name: Type.String(),
      text: Type.Optional(Type.String()),
      message: Type.Optional(Type.Unknown()),
    }),
  ),
});
const file = readFileSync(new URL("../../../shared/conformance/invalid.json", import.meta.url), "utf8");
const parsed = parseJson(Frames, file);
if (!parsed.ok) throw new Error(`${parsed.path} ${parsed.message}`);
const INVALID = parsed.value.client.map(({ name, text, message }) => ({
  name,
  text: text ?? JSON.stringify(message),
}));
const TRANSPORTS: readonly (readonly [string, Connect])[] = [
  ["plain WebSocket", connectWebSocket],
  ["Socket.IO", connectSocketIo],
  ["Socket.IO over polling", connectPolling],
];

/** Input of the transports before the client is known, and the ends of known sessions. */
describe.each(TRANSPORTS)("%s transport", (_name, connect) => {
  const visits = createVisits(connect);
  let harness: GatewayHarness;
  beforeEach(async () => {
    harness = await startGatewayHarness();
    harness.farm.grant("token-a", "a");
    harness.farm.account("a").change({ "sensor:1": { reading: { moisture: 30 } } });
  });
  afterEach(async () => {
    visits.leaveAll();
    await harness.app.close();
  });

  it.each(INVALID)(
    "[HS-5] before hello, $name is answered with an error, and a good hello is still accepted",
    async ({ text }) => {
      const client = await visits.enter(harness.origin);
      client.sayText(text);
      expect(await client.next("error")).toMatchObject({ temporary: false });
      expect(client.received.map(({ t }) => t)).toEqual(["error"]);
      client.say({ t: "hello", protocol: 1, token: "token-a" });
      await client.next("welcome");
    },
  );

  it("[HS-5] the tenth bad message before hello closes with 4400, and discloses nothing of any farm", async () => {
    const client = await visits.enter(harness.origin);
    for (let count = 0; count < 10; count += 1) client.sayText('{"t":"subscribe","stream":"devices"}');
    expect(await client.gone).toBe(4400);
    expect(new Set(client.received.map(({ t }) => t))).toEqual(new Set(["error", "bye"]));
    expect(harness.farm.account("a").viewers).toBe(0);
  });

  it("[HS-1] malformed frames do not extend the limit of 10 s", async () => {
    const client = await visits.enter(harness.origin);
    for (let seconds = 0; seconds < 10; seconds += 2) {
      client.sayText("[]");
      await client.next("error");
      harness.timers.advance(2_000);
    }
    expect(await client.gone).toBe(4401);
  });

  it("[AUTH-4] an account disabled meanwhile ends with 4504 at its next token", async () => {
    const client = await visits.follow(harness.origin, "token-a");
    await client.next("snapshot");
    harness.farm.refuse("disabled");
    client.say({ t: "auth", token: "token-a2" });
    expect(await client.next("error")).toMatchObject({ code: "account-disabled", temporary: false });
    expect(await client.gone).toBe(4504);
    expect(harness.farm.account("a").viewers).toBe(0);
  });

  it("[AUTH-5] a token is proven again every minute only where the farm API does not report ended ones", async () => {
    const client = await visits.follow(harness.origin, "token-a");
    await client.next("snapshot");
    harness.farm.revoke("token-a");
    let moisture = 31;
    /** Pass a minute with activity of the client. */
    const passMinute = async (): Promise<void> => {
      for (let step = 0; step < 4; step += 1) {
        harness.timers.advance(15_000);
        harness.farm.account("a").change({ "sensor:1": { reading: { moisture } } });
        moisture += 1;
        await client.next("change");
        client.say({ t: "active" });
      }
    };
    await passMinute();
    harness.mqttCoverage.ends = false;
    await passMinute().catch(() => undefined);
    expect(await client.gone).toBe(4503);
  });

  it("[AUTH-2] a rejected new token leaves the old one valid until its end", async () => {
    harness.farm.grant("short", "a", 30_000);
    const client = await visits.follow(harness.origin, "short");
    await client.next("snapshot");
    client.say({ t: "auth", token: "nobody's" });
    expect(await client.next("error")).toMatchObject({ code: "token-expired", ref: "auth" });
    harness.farm.account("a").change({ "sensor:1": { reading: { moisture: 31 } } });
    await client.next("change");
    harness.timers.advance(30_000);
    // The client is active, and still gets changes.
    client.say({ t: "hello", protocol: 1, token: "short" });
    await client.next("error");
    harness.farm.account("a").change({ "sensor:1": { reading: { moisture: 32 } } });
    await client.next("change");
    harness.timers.advance(25_000);
    expect(await client.gone).toBe(4401);
  });
});
