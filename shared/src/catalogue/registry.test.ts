import { describe, expect, it } from "vitest";
import { mapCategories, sensorCategories, sensorTables } from "./categories.ts";
import { FIELDS } from "./fields.ts";
import {
  badgeNames,
  canonicalFieldName,
  DEVICE_TYPES,
  deviceTypeOf,
  fieldAs,
  fieldOf,
  isDeviceTypeName,
  widgetFields,
} from "./registry.ts";

const names = (type: string): string[] => deviceTypeOf(type).fields.map((field) => field.name);

describe("[catalogue] device types", () => {
  it("[BAT-1] shows a battery in the unit of its value, for one value and for a device", () => {
    const battery = FIELDS.battery;
    expect(fieldAs(battery, 3.6)).toMatchObject({ unit: "V", decimals: 1 });
    expect(fieldAs(fieldAs(battery, 3.6), 88)).toEqual(battery);
    expect([88, 3, null, undefined].map((value) => fieldAs(battery, value))).toEqual(Array(4).fill(battery));
    expect(fieldAs(FIELDS.moisture, 3.6)).toBe(FIELDS.moisture);
    const volts = deviceTypeOf("SMS", { battery: 3.6 });
    expect(fieldOf(volts, "battery").unit).toBe("V");
    // The same object each time, so that React does not render it again.
    expect(deviceTypeOf("SMS", { battery: 3.5 })).toBe(volts);
    expect(fieldOf(deviceTypeOf("SMS", { battery: 88 }), "battery").unit).toBe("%");
    expect(fieldOf(deviceTypeOf("NEW", { battery: 3.6 }), "battery").unit).toBe("V");
  });
  it("[spec 3] begins with the device types of the specification; further ones follow", () => {
    const specified = [
      "SMS",
      "SSH",
      "AT",
      "WATERFLOW",
      "NUTRIENT",
      "DRAINAGE",
      "FMS",
      "FMS02",
      "COMPOST",
      "SOIL",
      "CO2",
      "ATS02",
      "LAT",
      "WATERLEVEL",
      "COT",
    ];
    const known = DEVICE_TYPES.map((entry) => entry.type);
    expect(known.slice(0, specified.length)).toEqual(specified);
    expect(new Set(known).size).toBe(known.length);
    expect(isDeviceTypeName("SES")).toBe(false);
  });

  it("[catalogue] shows only fields that a type has", () => {
    for (const entry of DEVICE_TYPES) {
      const own = names(entry.type);
      const shown = [
        ...entry.badges,
        ...entry.columns,
        ...entry.cards.flatMap((card) => card.fields),
        entry.primary,
      ];
      expect(shown.filter((name) => !own.includes(name))).toEqual([]);
    }
  });

  it("[catalogue] uses every field in some type", () => {
    const used = new Set(DEVICE_TYPES.flatMap((entry) => names(entry.type)));
    expect(Object.keys(FIELDS).filter((name) => !used.has(name))).toEqual([]);
  });

  it("[spec 2] keeps the badges in the order of the specification", () => {
    expect(deviceTypeOf("ATS02").badges).toEqual([
      "windD",
      "windS",
      "rain",
      "illuminance",
      "temperature",
      "humidity",
      "pressure",
    ]);
    expect(deviceTypeOf("SSH").badges).toEqual(["moisture", "temperature", "ec", "n", "p", "k", "battery"]);
    expect(deviceTypeOf("SOIL").badges).toEqual(deviceTypeOf("SMS").badges);
  });

  it("[spec 9] shows no decimals for water level and for altitude, lux and press", () => {
    expect(fieldOf(deviceTypeOf("WATERLEVEL"), "l").decimals).toBe(0);
    for (const name of ["altitude", "lux", "press"])
      expect(fieldOf(deviceTypeOf("FMS"), name).decimals).toBe(0);
    expect(fieldOf(deviceTypeOf("AT"), "vpd")).toMatchObject({ unit: "kPa", scale: 0.001, decimals: 1 });
    expect(fieldOf(deviceTypeOf("AT"), "temperature").widgetDecimals).toBe(0);
  });

  it("[spec 9] makes charts 400 high for AT and the FMS variants, else 350", () => {
    const tall = DEVICE_TYPES.filter((entry) => entry.chartHeight === 400).map((entry) => entry.type);
    expect(tall).toEqual(["AT", "FMS", "FMS02"]);
  });

  it("[spec 2] gives SSH and WATERLEVEL a second card for the battery", () => {
    for (const type of ["SSH", "WATERLEVEL"]) {
      expect(deviceTypeOf(type).cards.map((card) => card.title)).toEqual(["device", "device"]);
      expect(deviceTypeOf(type).cards[1]?.fields).toEqual(["battery"]);
    }
    expect(deviceTypeOf("NUTRIENT").cards.map((card) => card.fields)).toEqual([
      ["temperature"],
      ["ph"],
      ["ec"],
      ["gdo"],
    ]);
  });

  it("[spec 2] hides ec on widget cards except for FMS, FMS02 and NUTRIENT", () => {
    const withEc = DEVICE_TYPES.filter((entry) => !entry.hidden.includes("ec")).map((entry) => entry.type);
    expect(withEc).toEqual(["NUTRIENT", "FMS", "FMS02"]);
    const onCards = DEVICE_TYPES.filter((entry) => widgetFields(entry).some(({ name }) => name === "ec"));
    expect(onCards.map((entry) => entry.type)).toEqual(withEc);
  });

  it("[ROW-1] shows unknown numbers of a reading on cards, after the type's own", () => {
    const reading = { moisture: 31, leafWetness: 4.5, rssi: -70, mood: "wet" };
    const names = widgetFields(deviceTypeOf("SMS"), reading).map(({ name }) => name);
    expect(names).toEqual([...widgetFields(deviceTypeOf("SMS")).map(({ name }) => name), "leafWetness"]);
  });

  it("[ROW-1] shows unknown numbers of a reading among the latest values, once, after the type's own", () => {
    const type = deviceTypeOf("SMS");
    const reading = { moisture: 31, leafWetness: 4.5, co2: 410, rssi: -70, mood: "wet", ec: 1 };
    expect(badgeNames(type, reading)).toEqual([...type.badges, "leafWetness", "co2"]);
    expect(badgeNames(type, null)).toEqual(type.badges);
    const strange = { glow: 3 };
    expect(badgeNames(deviceTypeOf("XYZ", strange), strange)).toEqual(["glow"]);
  });

  it("[ROW-1] shows received fields on cards although the device's type lacks them, except hidden ones", () => {
    const came = { moisture: 30, co2: 410, battery: 3.6, ec: 1.2, td: null, rssi: -80, oxygen: 9 };
    const card = widgetFields(deviceTypeOf("DRAINAGE"), came);
    expect(card.map(({ name }) => name)).toEqual([
      "waterlevel",
      "temperature",
      "ph",
      "moisture",
      "co2",
      "battery",
      "oxygen",
    ]);
    expect(card.find(({ name }) => name === "co2")?.unit).toBe("ppm");
  });
  it("[spec 2] shows every field but the hidden ones on widget cards, badges or not", () => {
    const card = (type: string) => widgetFields(deviceTypeOf(type)).map(({ name }) => name);
    expect(card("SSH")).toEqual(["moisture", "temperature", "ph", "n", "p", "k", "battery"]);
    expect(card("LAT")).toEqual(names("LAT"));
    expect(card("DRAINAGE")).toEqual(["waterlevel", "temperature", "ph"]);
    expect(card("FMS02")).toContain("ec");
    expect(card("ATS02")).toContain("battery");
  });

  it("[rest-contract] uses the entry of ATS02 for ATS03 and a generic one for an unknown type", () => {
    expect(deviceTypeOf("ATS03").fields).toBe(deviceTypeOf("ATS02").fields);
    const strange = deviceTypeOf("XYZ", { sensorId: 4, rssi: -70, temperature: 20, glow: 3, note: "x" });
    expect(strange.fields.map((field) => field.name)).toEqual(["temperature", "glow"]);
    expect(strange.fields[0]?.unit).toBe("°C");
  });

  it("[rest-contract] reads the names of older devices", () => {
    expect(["temp", "t", "mois", "gyro", "ph", "constructor"].map(canonicalFieldName)).toEqual([
      "temperature",
      "temperature",
      "moisture",
      "gyroActivity",
      "ph",
      "constructor",
    ]);
  });
});

describe("[spec 2] categories", () => {
  it("[spec 2] merges soil and FMS types on the sensors screen and shows COT only with controllers", () => {
    const rows = sensorCategories(["SMS", "AT", "SSH", "FMS02", "FMS", "COT"], true);
    expect(rows.map((row) => row.name)).toEqual(["SOIL", "AT", "FMS", "COT"]);
    expect(sensorCategories(["SMS", "COT"], false).map((row) => row.name)).toEqual(["SOIL"]);
  });

  it("[spec 2] has SMS and SOIL in one table, SSH with its own columns in another", () => {
    const [soil] = sensorCategories(["SOIL"], false);
    const tables = sensorTables(soil?.types ?? []);
    expect(tables).toEqual([
      { name: "SMS", types: ["SMS", "SOIL"] },
      { name: "SSH", types: ["SSH"] },
    ]);
    for (const { types } of tables)
      expect(new Set(types.map((type) => deviceTypeOf(type).columns.join())).size).toBe(1);
  });

  it("[spec 2] opens all soil types together on the map and keeps FMS and FMS02 apart", () => {
    expect(mapCategories(["SSH", "FMS", "FMS02"])).toEqual([
      { name: "SOIL", types: ["SOIL", "SMS", "SSH"] },
      { name: "FMS", types: ["FMS"] },
      { name: "FMS02", types: ["FMS02"] },
    ]);
  });
});
