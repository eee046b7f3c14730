import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import { ErrorBody } from "@mulkko/shared/rest/errors";
import { controllerCommand } from "@mulkko/shared/rest/operations/controllers";
import { latestReceived } from "@mulkko/shared/rest/operations/logs";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import { relayPath } from "@mulkko/shared/rest/routes";
import { login, read, signIn } from "@mulkko/testing/stack/account";
import { openPlainWebSocket } from "@mulkko/testing/stack/plain-websocket";
import { publishAsDevice } from "@mulkko/testing/stack/publish-as-device";
import { type Stack, startStack } from "@mulkko/testing/stack/start-stack";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const SOIL_SERIAL = 24110101;

describe("rough input", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack();
  });
  afterAll(async () => {
    await stack?.close();
  });

  const bothAlive = async (): Promise<void> => {
    expect(stack.api.running()).toBe(true);
    expect(stack.relay.running()).toBe(true);
    expect((await fetch(stack.url + relayPath.health)).status).toBe(200);
  };

  it("[rest-contract] answers a wrong password with 401 and a code", async () => {
    const response = await login(stack.url, "farmer", "not-the-password");
    expect(response.status).toBe(401);
    expect(await read(response, ErrorBody)).toMatchObject({ status: 401, code: "invalid-credentials" });
    await bothAlive();
  });

  it("[rest-contract] answers a body of 10 MB with 413 and a code", async () => {
    const farmer = await signIn(stack.url, "farmer");
    const response = await farmer.post(controllerCommand.path, { uuid: "x".repeat(10 * 1024 * 1024) });
    expect(response.status).toBe(413);
    expect(await read(response, ErrorBody)).toMatchObject({ status: 413, code: "too-large" });
    await bothAlive();
  });

  it("[rest-contract] answers a call without a token with 401 and an unknown path with 404", async () => {
    expect((await fetch(stack.url + sensorList.path)).status).toBe(401);
    const farmer = await signIn(stack.url, "farmer");
    const unknown = await farmer.get("/api/v1/nothing/here");
    expect(unknown.status).toBe(404);
    expect(await read(unknown, ErrorBody)).toMatchObject({ status: 404 });
  });

  it("[ingest] survives broken payloads and continues with the next good one", async () => {
    const farmer = await signIn(stack.url, "farmer");
    const sensor = (await farmer.sensors()).find((entry) => Number(entry.serial) === SOIL_SERIAL);
    expect(sensor).toBeDefined();
    for (const payload of [
      "{",
      "[]",
      "null",
      '"wet"',
      '{"moisture":"very"}',
      '{"moisture":4000}',
      new Uint8Array([0, 1, 0xff, 0xfe]),
    ]) {
      await publishAsDevice(stack, SOIL_SERIAL, payload);
    }
    await publishAsDevice(
      stack,
      SOIL_SERIAL,
      JSON.stringify({ moisture: 41.7, at: new Date().toISOString() }),
    );
    const latest = await farmer.get(pathTo(latestReceived, { id: sensor?.id ?? "" }));
    expect(await latest.json()).toMatchObject({ moisture: 41.7 });
    await bothAlive();
  });

  it("[ingest] refuses an unregistered serial", async () => {
    await expect(publishAsDevice(stack, 999_999_999, "{}")).rejects.toThrow();
    await bothAlive();
  });

  it("[HS-5] answers malformed frames with an error and closes after ten of them", async () => {
    const farmer = await signIn(stack.url, "farmer");
    const webSocket = await openPlainWebSocket(stack.url, farmer.token);
    for (let sent = 0; sent < LIVE_LIMITS.badMessages; sent += 1)
      webSocket.send(`{"t":"subscribe","stream":${sent}}`);
    expect(await webSocket.closed).toBe(4400);
    expect(webSocket.received.filter((message) => message.t === "error").length).toBeGreaterThan(0);
    await bothAlive();
  });

  it("[HS-5] closes on a frame over 64 KiB at once", async () => {
    const farmer = await signIn(stack.url, "farmer");
    const webSocket = await openPlainWebSocket(stack.url, farmer.token);
    webSocket.send("x".repeat(LIVE_LIMITS.frameBytes + 1));
    expect(await webSocket.closed).toBe(1009);
    await bothAlive();
  });

  it("[HS-1] refuses a token that the API does not know", async () => {
    const webSocket = await openPlainWebSocket(stack.url);
    webSocket.send({ t: "hello", protocol: 1, token: "forged" });
    expect(await webSocket.closed).toBe(4401);
    await bothAlive();
  });
});
