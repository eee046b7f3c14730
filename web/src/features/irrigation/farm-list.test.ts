import type { Alarm } from "@mulkko/shared/live/alarm";
import type { ChannelValue, ControllerValue, FarmValue, SensorValue } from "@mulkko/shared/live/devices";
import { describe, expect, it } from "vitest";
import { whenInfosChange } from "../../domain/farm/when-infos-change.ts";
import type { LiveFarm } from "../../live/hooks.ts";
import { type FarmItem, farmItems, readSort, sortFarms, waterOfFarm, worstAlarm } from "./farm-list.ts";

const farm = (id: number, name: string, sensorIds: string[] = [], description = ""): [string, FarmValue] => [
  `${id}`,
  { info: { id, name, description, sensorIds } },
];

const sensor = (id: string, serial: number, deviceType = "SMS"): [string, SensorValue] => [
  id,
  {
    info: { id, serial, deviceType, name: `sensor ${id}` },
    reading: null,
    at: null,
    heardAt: null,
    quality: "fresh",
    via: null,
  },
];

const controller = (id: string, serial: number, clusterId = 0): [string, ControllerValue] => [
  id,
  {
    info: { id, serial, name: `box ${id}`, type: "CON04V", clusterId },
    quality: "fresh",
    rssi: null,
    fwversion: null,
    heardAt: null,
    link: "up",
  },
];

const channel = (
  id: string,
  controllerId: string,
  sensorIds: string[] = [],
  onoff: 0 | 1 | 2 = 2,
): [string, ChannelValue] => [
  id,
  {
    controllerId,
    serial: 1,
    number: 1,
    sensorIds,
    onoff,
    modes: null,
    moisture: null,
    runUntil: null,
    endsBy: null,
    command: null,
    at: null,
    heardAt: null,
    quality: "fresh",
  },
];

interface Parts {
  farms?: [string, FarmValue][];
  sensors?: [string, SensorValue][];
  controllers?: [string, ControllerValue][];
  channels?: [string, ChannelValue][];
}

const liveOf = ({ farms = [], sensors = [], controllers = [], channels = [] }: Parts): LiveFarm => ({
  farms: new Map(farms),
  sensors: new Map(sensors),
  controllers: new Map(controllers),
  channels: new Map(channels),
  waterings: new Map(),
  alarms: new Map(),
});

const itemsOf = (parts: Parts) => farmItems(liveOf(parts), "no farm");
const item = (id: string, name: string, change: Partial<FarmItem> = {}): FarmItem => ({
  id,
  name,
  description: "",
  createdDate: null,
  serial: null,
  devices: [],
  units: [],
  ...change,
});

describe("farms", () => {
  it("[spec 2] assigns sensors to a farm, with the controllers that they are connected to", () => {
    const [only] = itemsOf({
      farms: [farm(1, "A", ["s1", "s2", "cot"])],
      sensors: [sensor("s1", 300), sensor("s2", 200), sensor("cot", 400, "COT")],
      controllers: [controller("c1", 100)],
      channels: [channel("11", "c1", ["s1"]), channel("cot:1", "cot")],
    });
    expect(only?.devices.map(({ id, kind }) => `${kind} ${id}`)).toEqual([
      "unit c1",
      "unit cot",
      "sensor s1",
      "sensor s2",
    ]);
    expect(only?.units.map(({ id, channels }) => [id, channels.map((each) => each.id)])).toEqual([
      ["c1", ["11"]],
      ["cot", ["cot:1"]],
    ]);
    expect(only?.serial).toBe(100);
  });

  it("[RUN-5] lists a controller that names its farm only there, whatever sensors it has", () => {
    const items = itemsOf({
      farms: [farm(1, "A", ["s1"]), farm(2, "B")],
      sensors: [sensor("s1", 1)],
      controllers: [controller("c1", 2, 2), controller("c2", 3, 77)],
      channels: [channel("11", "c1", ["s1"]), channel("21", "c2", ["s1"])],
    });
    expect(items.map(({ id, units }) => [id, units.map((unit) => unit.id)])).toEqual([
      ["1", []],
      ["2", ["c1"]],
      ["none", ["c2"]],
    ]);
  });

  it("[irrigation] keeps devices without a farm reachable, last in every order", () => {
    const items = itemsOf({
      farms: [farm(1, "하우스 10"), farm(2, "하우스 2")],
      sensors: [sensor("s1", 1)],
    });
    for (const sort of ["name", "name-reversed", "serial", "description-reversed"] as const) {
      expect(sortFarms(items, sort).at(-1)?.id).toBe("none");
    }
    expect(itemsOf({ farms: [farm(1, "A")] }).map(({ id }) => id)).toEqual(["1"]);
  });

  it("[spec 2] sorts by name with natural numbers, Korean before English, and reversed", () => {
    const items = [item("1", "하우스 10"), item("2", "하우스 2"), item("3", "가람"), item("4", "North")];
    expect(sortFarms(items, "name").map(({ name }) => name)).toEqual([
      "가람",
      "하우스 2",
      "하우스 10",
      "North",
    ]);
    expect(sortFarms(items, "name-reversed").map(({ id }) => id)).toEqual(["4", "1", "2", "3"]);
  });

  it("[spec 2] sorts by the smallest serial of its devices; a farm without devices is last in both directions", () => {
    const items = [
      item("1", "A"),
      item("2", "B", { serial: 9 }),
      item("3", "C", { serial: 100 }),
      item("4", "D", { serial: 20 }),
    ];
    expect(sortFarms(items, "serial").map(({ id }) => id)).toEqual(["2", "4", "3", "1"]);
    expect(sortFarms(items, "serial-reversed").map(({ id }) => id)).toEqual(["3", "4", "2", "1"]);
  });

  it("[spec 2] sorts by description; farms without one are last, by name", () => {
    const items = [
      item("1", "B"),
      item("2", "A"),
      item("3", "C", { description: "tomatoes" }),
      item("4", "D", { description: "rice" }),
    ];
    expect(sortFarms(items, "description").map(({ id }) => id)).toEqual(["4", "3", "2", "1"]);
    expect(sortFarms(items, "description-reversed").map(({ id }) => id)).toEqual(["3", "4", "2", "1"]);
  });

  it("[spec 2] sorts by name if the address names no order", () => {
    expect(readSort("serial-reversed")).toBe("serial-reversed");
    expect(readSort("colour")).toBe("name");
    expect(readSort(null)).toBe("name");
  });

  it("[irrigation] counts the open valves of a farm", () => {
    const live = liveOf({
      farms: [farm(1, "A", ["s1"])],
      sensors: [sensor("s1", 1)],
      controllers: [controller("c1", 2)],
      channels: [channel("11", "c1", ["s1"], 1), channel("12", "c1", [], 2), channel("13", "c1", [], 1)],
    });
    const [only] = farmItems(live, "");
    expect(only && waterOfFarm(only, live.channels, "fresh").runs).toBe(2);
    expect(only && waterOfFarm(only, live.channels, "late")).toMatchObject({ runs: 0, ran: 2, none: 0 });
  });

  it("[ALM-2] shows the most urgent alarm of a farm's own devices, without snoozed and ended ones", () => {
    const [only] = itemsOf({
      farms: [farm(1, "A", ["s1"])],
      sensors: [sensor("s1", 1)],
      controllers: [controller("c1", 2)],
      channels: [channel("11", "c1", ["s1"])],
    });
    const alarm = (key: string, priority: 1 | 2 | 3, change: Partial<Alarm> = {}): Alarm => ({
      id: `${key} ${priority}`,
      key,
      type: "offline",
      priority,
      count: 1,
      active: true,
      raisedAt: "2026-11-22T00:00:00Z",
      clearedAt: null,
      ack: null,
      snooze: null,
      ...change,
    });
    const worst = (...alarms: Alarm[]) => only && worstAlarm(only, alarms);
    expect(worst()).toBeNull();
    expect(worst(alarm("sensor:s1", 3), alarm("channel:11", 2), alarm("controller:c9", 1))).toBe(2);
    expect(worst(alarm("farm:1", 1, { active: false }), alarm("controller:c1", 3))).toBe(3);
    const later = { until: "2026-11-23T00:00:00Z", reason: "pump" };
    expect(worst(alarm("controller:c1", 2, { snooze: later }))).toBeNull();
  });

  it("[irrigation] recomputes the list when a device is renamed, not with each reading", () => {
    let made = 0;
    const select = whenInfosChange((live) => {
      made += 1;
      return live.sensors.size;
    });
    const [id, value] = sensor("s1", 1);
    const live = (change: Partial<SensorValue>) => liveOf({ sensors: [[id, { ...value, ...change }]] });
    select(live({}));
    select(live({ reading: { moisture: 30 }, quality: "late" }));
    expect(made).toBe(1);
    select(live({ info: { ...value.info, name: "renamed" } }));
    expect(made).toBe(2);
    select(liveOf({}));
    expect(made).toBe(3);
  });
});
