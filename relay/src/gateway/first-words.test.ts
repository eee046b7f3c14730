import { readFileSync } from "node:fs";
import { parseJson } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type GatewayRig, startGatewayRig } from "../testing/gateway-rig.ts";
import { type Connect, connectSocketIo, connectWebSocket } from "../testing/live-client.ts";
import { createVisits } from "../testing/visits.ts";

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
const DOORS: readonly (readonly [string, Connect])[] = [
  ["plain WebSocket", connectWebSocket],
  ["Socket.IO", connectSocketIo],
];

/** What the doors hear before they know who speaks, and what ends a session that they do know. */
describe.each(DOORS)("%s door", (_name, connect) => {
  const visits = createVisits(connect);
  let rig: GatewayRig;
  beforeEach(async () => {
    rig = await startGatewayRig();
    rig.farm.grant("token-a", "a");
    rig.farm.account("a").change({ "sensor:1": { reading: { moisture: 30 } } });
  });
  afterEach(async () => {
    visits.leaveAll();
    await rig.app.close();
  });

  it.each(INVALID)(
    "[HS-5] before hello, $name is answered with an error, and a good hello is still taken",
    async ({ text }) => {
      const client = await visits.enter(rig.origin);
      client.sayText(text);
      expect(await client.next("error")).toMatchObject({ temporary: false });
      expect(client.received.map(({ t }) => t)).toEqual(["error"]);
      client.say({ t: "hello", protocol: 1, token: "token-a" });
      await client.next("welcome");
    },
  );

  it("[HS-5] the tenth bad message before hello closes with 4400, and nothing of any farm was said", async () => {
    const client = await visits.enter(rig.origin);
    for (let count = 0; count < 10; count += 1) client.sayText('{"t":"subscribe","stream":"devices"}');
    expect(await client.gone).toBe(4400);
    expect(new Set(client.received.map(({ t }) => t))).toEqual(new Set(["error", "bye"]));
    expect(rig.farm.account("a").viewers).toBe(0);
  });

  it("[HS-1] malformed frames do not put the end of the 10 s off", async () => {
    const client = await visits.enter(rig.origin);
    for (let seconds = 0; seconds < 10; seconds += 2) {
      client.sayText("[]");
      await client.next("error");
      rig.timers.advance(2_000);
    }
    expect(await client.gone).toBe(4401);
  });

  it("[AUTH-4] an account that is disabled meanwhile ends at its next token with 4504", async () => {
    const client = await visits.follow(rig.origin, "token-a");
    await client.next("snapshot");
    rig.farm.refuse("disabled");
    client.say({ t: "auth", token: "token-a2" });
    expect(await client.next("error")).toMatchObject({ code: "account-disabled", temporary: false });
    expect(await client.gone).toBe(4504);
    expect(rig.farm.account("a").viewers).toBe(0);
  });

  it("[AUTH-2] a new token that is not accepted leaves the old one its time, and no more", async () => {
    rig.farm.grant("short", "a", 30_000);
    const client = await visits.follow(rig.origin, "short");
    await client.next("snapshot");
    client.say({ t: "auth", token: "nobody's" });
    expect(await client.next("error")).toMatchObject({ code: "token-expired", ref: "auth" });
    rig.farm.account("a").change({ "sensor:1": { reading: { moisture: 31 } } });
    await client.next("change");
    rig.timers.advance(30_000);
    // It talks, and its changes still come.
    client.say({ t: "hello", protocol: 1, token: "short" });
    await client.next("error");
    rig.farm.account("a").change({ "sensor:1": { reading: { moisture: 32 } } });
    await client.next("change");
    rig.timers.advance(25_000);
    expect(await client.gone).toBe(4401);
  });
});
