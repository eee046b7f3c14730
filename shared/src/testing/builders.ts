import type { Account } from "../entities/account.ts";
import type { Controller } from "../entities/controller.ts";
import type { LogEntry } from "../entities/log-entry.ts";
import type { Sensor } from "../entities/sensor.ts";
import type { ChannelValue, ControllerValue, SensorValue } from "../live/devices.ts";
import type { DisplaySettings } from "../rest/displays.ts";

/** Build an account for tests. */
export function buildAccount(change: Partial<Account> = {}): Account {
  return {
    id: "00000000-0000-4000-8000-000000000001",
    username: "farmer",
    nickname: "Kim",
    userAddress: "kim@example.com",
    farmAddress: "Nonsan",
    phone: "010-0000-0000",
    timezone: "Asia/Seoul",
    imagePath: null,
    userType: "USER",
    ...change,
  };
}

/** Build a log entry for tests, 12:00 in Seoul. */
export function buildLogEntry(change: Readonly<Record<string, unknown>> = {}): LogEntry {
  return {
    sensorId: "10000000-0000-4000-8000-000000000001",
    createdDate: "2026-11-21 12:00:00",
    modifiedDate: null,
    fwversion: "1.2",
    rssi: -71,
    soilTemperature: 18.2,
    moisture: 32.4,
    battery: 88,
    ...change,
  };
}

/** Build a soil sensor for tests. */
export function buildSensor(change: Partial<Sensor> = {}): Sensor {
  return {
    id: "10000000-0000-4000-8000-000000000001",
    name: "Soil 1",
    deviceType: "SMS",
    serial: 100001,
    description: "",
    crops: "",
    latitude: 36.19,
    longitude: 127.1,
    widget: true,
    clusterId: 1,
    chNums: null,
    imagePath: null,
    clusters: [{ id: 1, name: "House 1" }],
    latestLog: buildLogEntry(),
    userId: "00000000-0000-4000-8000-000000000001",
    ...change,
  };
}

/** Build a controller with one channel for tests. */
export function buildController(change: Partial<Controller> = {}): Controller {
  return {
    id: "20000000-0000-4000-8000-000000000001",
    serial: 200001,
    name: "Valve box",
    description: "",
    type: "CON04V",
    channels: [
      {
        id: 11,
        channelNumber: 1,
        sensors: [{ id: "10000000-0000-4000-8000-000000000001", serial: 100001, name: "Soil 1" }],
      },
    ],
    ...change,
  };
}

/** Build the live value of a soil sensor that reports. */
export function buildSensorValue(change: Partial<SensorValue> = {}): SensorValue {
  const { latestLog: _log, ...info } = buildSensor();
  return {
    info: { ...info, widget: false },
    reading: { moisture: 30, soilTemperature: 17 },
    at: null,
    heardAt: null,
    quality: "fresh",
    via: "mqtt",
    ...change,
  };
}

/** Build the live value of a controller that reports. */
export function buildControllerValue(change: Partial<ControllerValue> = {}): ControllerValue {
  const { channels: _channels, ...info } = buildController();
  return { info, quality: "fresh", rssi: null, fwversion: null, heardAt: null, link: null, ...change };
}

/** Build the live value of a closed channel without modes. */
export function buildChannelValue(change: Partial<ChannelValue> = {}): ChannelValue {
  return {
    controllerId: "c1",
    serial: 1,
    number: 1,
    sensorIds: [],
    onoff: 2,
    modes: null,
    moisture: null,
    runUntil: null,
    endsBy: null,
    command: null,
    at: null,
    heardAt: null,
    quality: "fresh",
    ...change,
  };
}

/** Build the settings of a display that shows all farms by day, without sound. */
export function buildDisplaySettings(change: Partial<DisplaySettings> = {}): DisplaySettings {
  return {
    name: "Control room",
    farms: null,
    pages: ["overview", "valves", "map", "trends", "alarms"],
    tiles: null,
    turnSeconds: 20,
    diagonalInches: 55,
    distanceMetres: 3,
    language: "ko",
    colorMode: "dark",
    night: null,
    sound: false,
    scope: "read",
    ...change,
  };
}
