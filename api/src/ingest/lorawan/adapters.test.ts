import { describe, expect, test } from "vitest";
import { chirpstackUp, thingsStackUp } from "../../../testing/lorawan/network-messages.ts";
import { readVectors } from "../../../testing/lorawan/vectors.ts";
import { readChirpstack } from "./chirpstack.ts";
import { readThingsStack } from "./things-stack.ts";
import { parseUplinkTopic } from "./topics.ts";

const NOW = Date.UTC(2026, 10, 21, 3, 0, 0);
const EUI = "A84041000181C061";
const decoded = { water_SOIL: "19.57" };
const chirpstack = (message: unknown, event = "up"): ReturnType<typeof readChirpstack> =>
  readChirpstack(event, message, NOW);
const thingsStack = (message: unknown, event = "up"): ReturnType<typeof readThingsStack> =>
  readThingsStack(event, message, NOW);

describe("[uplink] topics", () => {
  test.each([
    ["application/17c8/device/0101010101010101/event/up", { server: "chirpstack", event: "up" }],
    ["application/17c8/device/0101010101010101/event/txack", { server: "chirpstack", event: "txack" }],
    ["v3/farm@ttn/devices/eui-01/up", { server: "tts", event: "up" }],
    ["v3/farm/devices/soil/down/ack", { server: "tts", event: "down/ack" }],
    ["application/17c8/device/01/command/down", null],
    ["application//device/01/event/up", null],
    ["application/a/b/device/01/event/up", null],
    ["v3/farm/devices/up", null],
    ["v3/farm/devices/soil/down/push/now", null],
    ["mulkko/1/up", null],
    [`v3/${"x".repeat(300)}/devices/soil/up`, null],
  ])("[uplink] %s", (name, wanted) => {
    expect(parseUplinkTopic(name)).toEqual(wanted);
  });
});

describe("[uplink] ChirpStack v4", () => {
  test("[uplink] reads the DevEUI in lower case, the time, and the best gateway's signal", () => {
    const message = chirpstackUp({ devEui: EUI, decoded, rssi: [-117, -97, -104] });
    expect(chirpstack(message)).toEqual({
      kind: "uplink",
      uplink: {
        externalId: "a84041000181c061",
        time: { kind: "stated", at: Date.UTC(2026, 10, 21, 2, 59, 58, 775) },
        rssi: -97,
        battery: null,
        fPort: 2,
        frameId: "6d3b5f2e-7c1e-4f0a-9b57-0d6b3c0f5a11",
        decoded,
      },
    });
  });

  test("[uplink] uses the network server's time for a gateway with a wrong clock", () => {
    const message = { ...chirpstackUp({ devEui: EUI, decoded }), time: "1980-01-06T00:00:10+00:00" };
    expect(chirpstack(message)).toMatchObject({
      uplink: { time: { kind: "stated", at: Date.UTC(2026, 10, 21, 2, 59, 59, 101) } },
    });
  });

  test.each([
    ["1980-01-06T00:00:10+00:00", "bad-time"],
    ["2027-01-01T00:00:00Z", "from-future"],
  ])("[ORD-2] a frame whose only time %s is unbelievable counts as of its arrival", (time, reason) => {
    const message = { ...chirpstackUp({ devEui: EUI, decoded }), time, rxInfo: [] };
    expect(chirpstack(message)).toMatchObject({ uplink: { time: { kind: "unbelievable", reason } } });
  });

  test("[uplink] accepts what proto3 leaves out", () => {
    const { deviceInfo } = chirpstackUp({ devEui: EUI });
    expect(chirpstack({ deviceInfo, object: decoded })).toMatchObject({
      uplink: { time: { kind: "absent" }, rssi: null, fPort: null, frameId: null },
    });
  });

  test.each(["join", "status", "ack", "txack", "log", "location", "integration"])(
    "[uplink] %s has nothing to store",
    (event) => {
      expect(chirpstack({}, event)).toEqual({ kind: "ignored", event: `chirpstack ${event}` });
    },
  );

  test("[uplink] counts an unknown event with the others", () => {
    expect(chirpstack({}, "constructor")).toEqual({ kind: "ignored", event: "chirpstack other" });
  });

  test("[uplink] a frame without bytes is empty; one with a codec error was not decoded", () => {
    expect(chirpstack(chirpstackUp({ devEui: EUI, data: "" }))).toEqual({
      kind: "ignored",
      event: "chirpstack empty frame",
    });
    for (const vector of readVectors().filter((one) => one.decoded === undefined)) {
      const message = { devEui: EUI, fPort: vector.fPort, data: vector.data };
      expect(chirpstack(chirpstackUp(message))).toMatchObject({ reason: "not-decoded" });
      expect(thingsStack(thingsStackUp(message))).toMatchObject({ reason: "not-decoded" });
    }
  });

  test.each([
    [[], ""],
    [{}, ""],
    [{ ...chirpstackUp({ devEui: "xyz", decoded }) }, "deviceInfo/devEui"],
    [{ ...chirpstackUp({ devEui: EUI }), object: [1] }, "object"],
    [{ ...chirpstackUp({ devEui: EUI, decoded }), rxInfo: {} }, "rxInfo"],
    [{ ...chirpstackUp({ devEui: EUI, decoded }), rxInfo: [{ rssi: "-97" }] }, "rxInfo/0/rssi"],
    [{ ...chirpstackUp({ devEui: EUI, decoded }), time: 5 }, "time"],
    [{ ...chirpstackUp({ devEui: EUI, decoded }), fPort: 300 }, "fPort"],
  ])("[uplink] the wrong shape %o is refused, naming %s", (message, field) => {
    expect(chirpstack(message)).toEqual({ kind: "refused", reason: "wrong-type", field });
  });
});

describe("[uplink] The Things Stack v3", () => {
  test("[uplink] reads the DevEUI in lower case, the network server's time, signal and battery", () => {
    expect(thingsStack(thingsStackUp({ devEui: EUI, decoded, rssi: [-88, -120], battery: 71 }))).toEqual({
      kind: "uplink",
      uplink: {
        externalId: "a84041000181c061",
        time: { kind: "stated", at: Date.UTC(2026, 10, 21, 2, 59, 58, 789) },
        rssi: -88,
        battery: 71,
        fPort: 2,
        frameId: "ns:uplink:01E0WZGSZXZXZS8RFAWZX0F2FY",
        decoded,
      },
    });
  });

  test("[uplink] identifies a device without a DevEUI by its device id", () => {
    const message = thingsStackUp({ devEui: EUI, decoded });
    expect(thingsStack({ ...message, end_device_ids: { device_id: "Soil-1" } })).toMatchObject({
      uplink: { externalId: "soil-1" },
    });
  });

  test.each(["join_accept", "downlink_ack", "downlink_failed", "location_solved", "service_data"])(
    "[uplink] a message of %s has nothing to store",
    (member) => {
      const { end_device_ids } = thingsStackUp({ devEui: EUI });
      expect(thingsStack({ end_device_ids, [member]: {} })).toEqual({
        kind: "ignored",
        event: `tts ${member}`,
      });
    },
  );

  test("[uplink] other topics, empty frames and simulated uplinks have nothing to store", () => {
    expect(thingsStack({}, "down/ack")).toEqual({ kind: "ignored", event: "tts down/ack" });
    expect(thingsStack({}, "down/sideways")).toEqual({ kind: "ignored", event: "tts other" });
    expect(thingsStack(thingsStackUp({ devEui: EUI, data: "" }))).toMatchObject({ event: "tts empty frame" });
    const simulated = { ...thingsStackUp({ devEui: EUI, decoded }), simulated: true };
    expect(thingsStack(simulated)).toEqual({ kind: "ignored", event: "tts simulated" });
  });

  test.each([
    [[], ""],
    [{}, ""],
    [{ end_device_ids: {}, uplink_message: {} }, "end_device_ids"],
    [{ ...thingsStackUp({ devEui: EUI }), uplink_message: 5 }, "uplink_message"],
    [{ ...thingsStackUp({ devEui: "short", decoded }) }, "end_device_ids/dev_eui"],
  ])("[uplink] the wrong shape %o is refused, naming %s", (message, field) => {
    expect(thingsStack(message)).toEqual({ kind: "refused", reason: "wrong-type", field });
  });
});
