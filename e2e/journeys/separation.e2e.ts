import type { ServerMessage } from "@mulkko/shared/live/server-messages";
import { controllerCommand, controllerRead } from "@mulkko/shared/rest/operations/controllers";
import { latestStored, logRange } from "@mulkko/shared/rest/operations/logs";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { sensorRead } from "@mulkko/shared/rest/operations/sensors";
import { type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { openPlainWebSocket } from "@mulkko/testing/stack/plain-websocket";
import { publishAsDevice } from "@mulkko/testing/stack/publish-as-device";
import { type Stack, startStack } from "@mulkko/testing/stack/start-stack";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const SOIL_SERIAL = 24110101;
const MARK = 43.21;

const mentions = (received: readonly ServerMessage[], word: string): boolean =>
  JSON.stringify(received).includes(word);

describe("two farmers", () => {
  let stack: Stack;
  let farmer: SignedIn;
  let neighbor: SignedIn;
  beforeAll(async () => {
    stack = await startStack();
    farmer = await signIn(stack.url, "farmer");
    neighbor = await signIn(stack.url, "neighbor");
  });
  afterAll(async () => {
    await stack?.close();
  });

  it("[HS-2] gives each account its own devices and nothing of the other's", async () => {
    const [farmers, neighbors] = [await farmer.sensors(), await neighbor.sensors()];
    const theirs = new Set(farmers.map((sensor) => String(sensor.id)));
    expect(neighbors.length).toBeGreaterThan(0);
    expect(neighbors.filter((sensor) => theirs.has(String(sensor.id)))).toEqual([]);
  });

  it("[HS-2] pushes a reading only to its owner", async () => {
    const sensor = (await farmer.sensors()).find((entry) => Number(entry.serial) === SOIL_SERIAL);
    const [mine, other] = await Promise.all([
      openPlainWebSocket(stack.url, farmer.token),
      openPlainWebSocket(stack.url, neighbor.token),
    ]);
    for (const webSocket of [mine, other]) webSocket.send({ t: "subscribe", stream: "devices" });
    await Promise.all(
      [mine, other].map((webSocket) => webSocket.waitFor((message) => message.t === "snapshot")),
    );
    // Newer than the demo's own next message, which would otherwise replace it before a poll.
    const at = new Date(Date.now() + 30_000).toISOString();
    await publishAsDevice(stack, SOIL_SERIAL, JSON.stringify({ moisture: MARK, at }));
    await mine.waitFor((message) => message.t === "change" && mentions([message], String(MARK)));
    await other.waitFor((message) => message.t === "change", 30_000);
    expect(mentions(other.received, String(MARK))).toBe(false);
    expect(mentions(other.received, String(sensor?.id))).toBe(false);
    mine.close();
    other.close();
  });

  it("[rest-contract] answers 404 for another account's device, as if it did not exist", async () => {
    const [sensor] = await farmer.sensors();
    const [controller] = await farmer.controllers();
    const paths = [
      pathTo(sensorRead, { id: sensor?.id ?? "" }),
      pathTo(latestStored, { id: sensor?.id ?? "" }),
      pathTo(logRange, { id: sensor?.id ?? "", start: "2026-01-01 00:00", end: "2026-01-02 00:00" }),
      pathTo(controllerRead, { id: controller?.id ?? "" }),
    ];
    for (const path of paths) expect((await neighbor.get(path)).status).toBe(404);
    const command = {
      uuid: controller?.id,
      command: "onoff",
      deviceType: "controller",
      channel: 1,
      payload: 1,
    };
    expect((await neighbor.post(controllerCommand.path, command)).status).toBe(404);
  });
});
