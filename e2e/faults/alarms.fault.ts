import { Alarm } from "@mulkko/shared/live/alarm";
import { applyChange, applySnapshotPart, type StateCopy } from "@mulkko/shared/live/apply-change";
import { AlarmPage } from "@mulkko/shared/rest/alarm";
import { relayPath } from "@mulkko/shared/rest/routes";
import { parse } from "@mulkko/shared/schema/parse";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { read, type SignedIn, signIn } from "../src/stack/account.ts";
import { type ControllerDevice, connectController } from "../src/stack/controller-device.ts";
import { openPlainDoor, type PlainDoor } from "../src/stack/plain-door.ts";
import { publishAsDevice } from "../src/stack/publish-as-device.ts";
import { type Stack, startStack } from "../src/stack/start-stack.ts";

const SOIL_SERIAL = 24110101;
const CONTROLLER_SERIAL = 24110901;
const EVERYTHING_MS = 60_000;

/** The alarms that a machine at the plain door has been told of, as its own copy holds them. */
function alarmsAt(door: PlainDoor): Alarm[] {
  const copy: StateCopy = new Map();
  let offset = 0;
  for (const message of door.heard) {
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

/** The demo's farm without its virtual devices: they say what this journey says in their names. */
describe("alarms, from a device to a person and over a restart", () => {
  let stack: Stack;
  let account: SignedIn;
  let door: PlainDoor;
  let valve: ControllerDevice;
  let sensorKey: string;
  let batteryId: string;
  const look = async (): Promise<void> => {
    door?.close();
    door = await openPlainDoor(stack.url, account.token);
    door.send({ t: "subscribe", stream: "devices" });
    door.send({ t: "subscribe", stream: "events" });
    await door.waitFor((message) => message.t === "snapshot" && message.stream === "devices");
  };
  const present = (type: Alarm["type"]) => alarmsAt(door).find((alarm) => alarm.type === type);
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
    door?.close();
    await valve?.close();
    await stack?.close();
  });

  it("[ALM-1] a battery that runs low is an alarm of its sensor at the plain door", async () => {
    await say(12);
    await seen("battery").toMatchObject({ key: sensorKey, priority: 3, active: true, ack: null });
    batteryId = present("battery")?.id ?? "";
    await door.waitFor((message) => message.t === "event" && message.event.kind === "alarm");
  });

  it("[RUN-3] a valve that somebody opens at the controller is one at once, and is over once it is closed", async () => {
    await valve.say(1, { onoff: 1, at: new Date().toISOString() });
    await seen("external-open").toMatchObject({ priority: 2, active: true });
    await valve.say(1, { onoff: 2, at: new Date().toISOString() });
    await seen("external-open").toMatchObject({ active: false, clearedAt: expect.any(String) });
  });

  it("[RUN-3] one tap gives what was opened at the controller an end, and the relay closes it then", async () => {
    await valve.say(1, { onoff: 1, at: new Date().toISOString() });
    await seen("external-open").toMatchObject({ active: true });
    const id = present("external-open")?.id ?? "";
    const before = valve.heard.length;
    const answer = await read(await account.post(relayPath.closeIn(id), { minutes: 1 }), Alarm);
    expect(answer.detail).toMatchObject({ closesAt: expect.any(String) });
    await stack.relay.kill();
    await stack.relay.start();
    await look();
    await expect
      .poll(() => valve.heard.slice(before).map(({ state }) => state), { timeout: 90_000 })
      .toContain(2);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(String(answer.detail?.closesAt)));
    await valve.say(1, { onoff: 2, at: new Date().toISOString() });
    await seen("external-open").toMatchObject({ active: false });
  });

  it("[ALM-2] who acknowledges is kept with the alarm, also over a kill of the relay", async () => {
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

  it("[ALM-2] a battery that is well again takes the acknowledged alarm to the past", async () => {
    await say(90);
    await seen("battery").toBeUndefined();
    const past = await read(await account.get(`${relayPath.alarms}?past=true`), AlarmPage);
    expect(past.content.map(({ id }) => id)).toContain(batteryId);
  });

  it("[ALM-4] a farm API that is away is one alarm, and none of its devices is called offline", async () => {
    const offline = () => alarmsAt(door).filter(({ type, active }) => active && type === "offline");
    // What the demo farm measured has gaps of its own.
    const before = offline();
    await stack.api.stop();
    await seen("upstream-down").toMatchObject({ key: "link:upstream", active: true });
    expect(present("upstream-down")?.count).toBeGreaterThan(5);
    expect(offline()).toEqual(before);
    await stack.api.start();
    await seen("upstream-down").toMatchObject({ active: false });
  });
});
