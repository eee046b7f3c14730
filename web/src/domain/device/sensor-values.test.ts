import { describe, expect, it } from "vitest";
import {
  addForm,
  NEW_SENSOR,
  plainSerial,
  restoredCoordinate,
  type SensorValues,
  sensorFaults,
  sensorValuesOf,
  updateForm,
} from "./sensor-values.ts";

const info = {
  id: "10000000-0000-4000-8000-000000000001",
  name: "북쪽 밭",
  deviceType: "SMS",
  serial: 24110101,
  description: null,
  latitude: 36.2052,
  longitude: 127.0845,
  widget: true,
  clusterId: 3,
};
const PLAIN = { devices: false, crops: true };
const LORA = { ...PLAIN, devices: true };
const stands = sensorValuesOf(info);
const fresh = (change: Partial<SensorValues> = {}): SensorValues => ({
  ...NEW_SENSOR,
  name: "새 센서",
  serial: "24119999",
  ...change,
});

describe("sensor values", () => {
  it("[spec 2] starts a new sensor as an SMS without a farm and requires a name and a serial", () => {
    expect(NEW_SENSOR).toMatchObject({ deviceType: "SMS", clusterId: "0" });
    expect(sensorFaults(NEW_SENSOR, "add")).toEqual({ name: "required", serial: "required" });
    expect(sensorFaults(fresh(), "add")).toEqual({});
  });

  it("[spec 2] accepts at most 15 digits as a serial and removes its leading zeros", () => {
    expect(["000123", " 0123 ", "0", "00", "", "12a"].map(plainSerial)).toEqual([
      "123",
      "123",
      "0",
      "0",
      "",
      "12a",
    ]);
    const fault = (serial: string) => sensorFaults(fresh({ serial }), "add").serial;
    expect(fault("0000123456789012345")).toBeUndefined();
    expect(fault("1234567890123456")).toBe("longSerial");
    for (const serial of ["12a", "1.5", "-1", "1e3", "0", "000"])
      expect(fault(serial), serial).toBe("digits");
    expect(addForm(fresh({ serial: " 00024119999 " }), PLAIN)).toMatchObject({ serial: "24119999" });
  });

  it("[spec 1] lets an administrator correct a serial, which is required and numeric", () => {
    expect(sensorFaults({ ...stands, serial: "" }, "correct")).toEqual({ serial: "required" });
    expect(sensorFaults({ ...stands, serial: "12a" }, "correct")).toEqual({ serial: "digits" });
    expect(sensorFaults({ ...stands, name: "", serial: "0042" }, "correct")).toEqual({});
    expect(updateForm("s", { ...stands, serial: " 0042 " }, PLAIN)).toMatchObject({ serial: "42" });
    expect(sensorFaults({ ...stands, serial: "" }, "edit")).toEqual({});
  });

  it("[spec 2] sends the channel count only for COT, two by default", () => {
    expect(addForm(fresh(), PLAIN).chNums).toBeUndefined();
    expect(addForm(fresh({ deviceType: "COT" }), PLAIN).chNums).toBe("2");
    expect(addForm(fresh({ deviceType: "COT", chNums: "8" }), PLAIN).chNums).toBe("8");
  });

  it("[spec 2] requires a device type but no name when a sensor is edited", () => {
    expect(sensorFaults({ ...stands, deviceType: "" }, "edit")).toEqual({ deviceType: "deviceType" });
    expect(sensorFaults({ ...stands, name: "" }, "edit")).toEqual({});
  });

  it("[spec 2] restores and sends an emptied coordinate", () => {
    expect(restoredCoordinate("", stands.latitude)).toBe("36.2052");
    expect(restoredCoordinate("  ", stands.latitude)).toBe("36.2052");
    expect(restoredCoordinate("37", stands.latitude)).toBe("37");
  });

  it("[spec 2] accepts valid coordinates with a decimal comma or point, and both or none", () => {
    const faults = (latitude: string, longitude: string) =>
      sensorFaults({ ...stands, latitude, longitude }, "edit");
    expect(faults("-90", "180")).toEqual({});
    expect(faults("36,2", "127,4")).toEqual({});
    expect(updateForm("s", { ...stands, latitude: "36,2", longitude: "127,4" }, PLAIN)).toMatchObject({
      latitude: 36.2,
      longitude: 127.4,
    });
    expect(faults("90.1", "-180.1")).toEqual({ latitude: "latitude", longitude: "longitude" });
    expect(faults("north", "127")).toEqual({ latitude: "latitude" });
    expect(faults("36", "")).toEqual({ longitude: "together" });
    expect(faults("", "127")).toEqual({ latitude: "together" });
    expect(faults("", "")).toEqual({});
  });

  it("[spec 2] maps an unplaced sensor to 0 for the farm API and to empty fields for the user", () => {
    const unplaced = sensorValuesOf({ ...info, latitude: 0, longitude: 0 });
    expect([unplaced.latitude, unplaced.longitude]).toEqual(["", ""]);
    expect(updateForm("s", unplaced, PLAIN)).toMatchObject({ latitude: 0, longitude: 0 });
  });

  it("[spec 2] sends the id and the unchanged serial on an update, and 0 for no farm", () => {
    expect(updateForm(info.id, { ...stands, clusterId: "0", crops: " 벼 " }, PLAIN)).toEqual({
      id: info.id,
      name: "북쪽 밭",
      serial: "24110101",
      deviceType: "SMS",
      description: "",
      crops: "벼",
      latitude: 36.2052,
      longitude: 127.0845,
      widget: true,
      clusterId: "0",
      chNums: undefined,
      externalId: undefined,
      profile: undefined,
    });
  });

  it("[devices] sends an external id and a decoder if the API accepts them, and clears emptied ones", () => {
    const lora = fresh({ externalId: " a84041000181c061 ", profile: "dragino-lse01" });
    expect(addForm(lora, LORA)).toMatchObject({ externalId: "a84041000181c061", profile: "dragino-lse01" });
    expect(addForm(lora, PLAIN).externalId).toBeUndefined();
    expect(addForm(fresh(), LORA).externalId).toBeUndefined();
    expect(updateForm("s", stands, LORA)).toMatchObject({ externalId: "", profile: "" });
  });

  it("[sensor] identifies a farm by the sensor's own farm id, else by the first of its list", () => {
    const { clusterId: _unused, ...listed } = info;
    expect(sensorValuesOf({ ...listed, clusters: [{ id: 7, name: "논" }] }).clusterId).toBe("7");
    expect(sensorValuesOf(listed).clusterId).toBe("0");
  });
});
