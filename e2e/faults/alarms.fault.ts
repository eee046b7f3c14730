import { Alarm } from "@mulkko/shared/live/alarm";
import { applyChange, applySnapshotPart, type StateCopy } from "@mulkko/shared/live/apply-change";
import { AlarmPage } from "@mulkko/shared/rest/alarm";
import { relayPath } from "@mulkko/shared/rest/routes";
import { parse } from "@mulkko/shared/schema/parse";
import { read, type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { type ControllerDevice, connectController } from "@mulkko/testing/stack/controller-device";
import { openPlainWebSocket, type PlainWebSocket } from "@mulkko/testing/stack/plain-websocket";
import { publishAsDevice } from "@mulkko/testing/stack/publish-as-device";
import { type Stack, startStack } from "@mulkko/testing/stack/start-stack";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const SOIL_SERIAL = 24110101;
const CONTROLLER_SERIAL = 24110901;
const EVERYTHING_MS = 60_000;

/** Return the alarms that a program at the WebSocket has received. */
function alarmsAt(webSocket: PlainWebSocket): Alarm[] {
  const copy: StateCopy = new Map();
  let offset = 0;
  for (const message of webSocket.received) {
    if (message.t === "snapshot" && message.stream === "devices" && !Array.isArray(message.state)) {
      applySnapshotPart(copy, message.part, message.state);
      ({ offset } = message);
    } else if (message.t === "change") {
      applyChange(copy, offset, message);
      ({ offset } = message);
    }
  }
  return [...copy].flatMap(([key, value]) => {
    if (!key.startsWith("alarm:")) return [];
    const alarm = parse(Alarm, value);
    if (!alarm.ok) throw new Error(`${key} ${alarm.path} ${alarm.message}`);
    return [alarm.value];
  });
}

/** The demo's farm without its virtual devices: this journey sends messages in their names. */
describe("alarms, from a device to a user and over a restart", () => {
  let stack: Stack;
  let account: SignedIn;
  let webSocket: PlainWebSocket;
  let valve: ControllerDevice;
  let sensorKey: string;
  let batteryId: string;
  const look = async (): Promise<void> => {
    webSocket?.close();
    webSocket = await openPlainWebSocket(stack.url, account.token);
    webSocket.send({ t: "subscribe", stream: "devices" });
    webSocket.send({ t: "subscribe", stream: "events" });
    await webSocket.waitFor((message) => message.t === "snapshot" && message.stream === "devices");
  };
  const present = (type: Alarm["type"]) => alarmsAt(webSocket).find((alarm) => alarm.type === type);
  const seen = (type: Alarm["type"]) => expect.poll(() => present(type), { timeout: EVERYTHING_MS });
  const say = (battery: number) =>
    publishAsDevice(
      stack,
      SOIL_SERIAL,
      JSON.stringify({ moisture: 31, soilTemperature: 17, battery, rssi: -70, at: new Date().toISOString() }),
    );
  beforeAll(async () => {
    stack = await startStack();
    account = await signIn(stack.url, "farmer");
    const soil = (await account.sensors()).find(({ serial }) => Number(serial) === SOIL_SERIAL);
    sensorKey = `sensor:${soil?.id}`;
    await look();
    await stack.api.stop();
    await stack.api.start({ DEMO: "off" });
    valve = await connectController(stack, CONTROLLER_SERIAL);
  });
  afterAll(async () => {
    webSocket?.close();
    await valve?.close();
    await stack?.close();
  });

  it("[ALM-1] raises an alarm of a sensor whose battery runs low, at the WebSocket", async () => {
    await say(12);
    await seen("battery").toMatchObject({ key: sensorKey, priority: 3, active: true, ack: null });
    batteryId = present("battery")?.id ?? "";
    await webSocket.waitFor((message) => message.t === "event" && message.event.kind === "alarm");
  });

  it("[RUN-3] raises an alarm at once for a valve that opens at the controller, and clears it when the valve closes", async () => {
    await valve.say(1, { onoff: 1, at: new Date().toISOString() });
    await seen("external-open").toMatchObject({ priority: 2, active: true });
    await valve.say(1, { onoff: 2, at: new Date().toISOString() });
    await seen("external-open").toMatchObject({ active: false, clearedAt: expect.any(String) });
  });

  it("[RUN-3] gives an opening at the controller an end by one tap, and the relay closes it then", async () => {
    await valve.say(1, { onoff: 1, at: new Date().toISOString() });
    await seen("external-open").toMatchObject({ active: true });
    const id = present("external-open")?.id ?? "";
    const before = valve.received.length;
    const answer = await read(await account.post(relayPath.closeIn(id), { minutes: 1 }), Alarm);
    expect(answer.detail).toMatchObject({ closesAt: expect.any(String) });
    await stack.relay.kill();
    await stack.relay.start();
    await look();
    await expect
      .poll(() => valve.received.slice(before).map(({ state }) => state), { timeout: 90_000 })
      .toContain(2);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(String(answer.detail?.closesAt)));
    await valve.say(1, { onoff: 2, at: new Date().toISOString() });
    await seen("external-open").toMatchObject({ active: false });
  });

  it("[ALM-2] keeps the acknowledging user with the alarm, also over a kill of the relay", async () => {
    const path = relayPath.acknowledgeAlarm(batteryId);
    const answer = await account.post(path, { comment: "새 배터리 주문함" });
    expect(await read(answer, Alarm)).toMatchObject({ ack: { comment: "새 배터리 주문함" } });
    await seen("battery").toMatchObject({ ack: { comment: "새 배터리 주문함" } });
    await stack.relay.kill();
    await stack.relay.start();
    await look();
    await seen("battery").toMatchObject({
      id: batteryId,
      active: true,
      ack: { comment: "새 배터리 주문함" },
    });
    await seen("external-open").toMatchObject({ active: false });
  });

  it("[ALM-2] moves the acknowledged alarm to the past when the battery recovers", async () => {
    await say(90);
    await seen("battery").toBeUndefined();
    const past = await read(await account.get(`${relayPath.alarms}?past=true`), AlarmPage);
    expect(past.content.map(({ id }) => id)).toContain(batteryId);
  });

  it("[ALM-4] raises one alarm for a farm API that is away, and calls none of its devices offline", async () => {
    const offline = () => alarmsAt(webSocket).filter(({ type, active }) => active && type === "offline");
    // The demo farm's recordings have gaps of their own.
    const before = offline();
    await stack.api.stop();
    await seen("upstream-down").toMatchObject({ key: "link:upstream", active: true });
    expect(present("upstream-down")?.count).toBeGreaterThan(5);
    expect(offline()).toEqual(before);
    await stack.api.start();
    await seen("upstream-down").toMatchObject({ active: false });
  });
});
