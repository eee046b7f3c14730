import { describe, expect, it } from "vitest";
import { deviceTypeOf } from "./registry.ts";

/** The badges of each type, in the order of the specification. FMS02 has neither altitude nor light in its logs. */
const BADGES: Readonly<Record<string, string>> = {
  SMS: "soilTemperature moisture battery",
  SOIL: "soilTemperature moisture battery",
  ATS02: "windD windS rain illuminance temperature humidity pressure",
  AT: "co2 humidity pressure solar temperature td vpd",
  WATERFLOW: "flowmeter speed pumpopencount",
  NUTRIENT: "temperature ph ec gdo battery",
  DRAINAGE: "waterlevel temperature",
  FMS: "temperature moisture acceleration gyroActivity altitude lux press battery",
  FMS02: "temperature moisture acceleration gyroActivity pressure battery",
  LAT: "humidity pressure temperature stress battery",
  COMPOST: "t15 t30 m15 m30 rh",
  WATERLEVEL: "l battery",
  SSH: "moisture temperature ec n p k battery",
};

/** Columns of the data list. Humidity of soil and FMS means moisture; light means solar or illuminance. */
const COLUMNS: Readonly<Record<string, string>> = {
  SOIL: "soilTemperature moisture battery",
  SMS: "soilTemperature moisture battery",
  CO2: "co2 temperature humidity pressure solar",
  AT: "co2 temperature humidity pressure solar",
  WATERFLOW: "speed flowmeter",
  NUTRIENT: "ph temperature",
  DRAINAGE: "waterlevel ph temperature",
  FMS: "temperature moisture ec",
  COMPOST: "t15 t30 m15 m30 battery",
  ATS02: "windD windS rain illuminance temperature humidity pressure battery",
};

/** Fields of each type's charts: the fields of its log entries. */
const LOG_FIELDS: Readonly<Record<string, string>> = {
  AT: "co2 humidity pressure solar temperature vpd td",
  ATS02: "humidity illuminance pressure rain temperature windD windS",
  LAT: "humidity pressure temperature stress co2 solar",
  SSH: "moisture temperature ec ph n p k battery",
  FMS: "temperature moisture acceleration gyroActivity altitude lux press",
  FMS02: "temperature moisture acceleration gyroActivity pressure",
  WATERLEVEL: "battery l",
  SMS: "soilTemperature moisture battery",
  SOIL: "soilTemperature moisture battery",
  CO2: "temperature humidity co2 solar pressure",
  WATERFLOW: "speed flowmeter pumpopencount",
  NUTRIENT: "temperature ph ec gdo",
  DRAINAGE: "temperature waterlevel",
  COMPOST: "t15 t30 m15 m30 rh",
  COT: "valve moisture",
};

/** Types with one card for the device; the others have a card per measurement. */
const DEVICE_CARDS = ["AT", "ATS02", "FMS", "FMS02", "LAT", "SSH", "WATERLEVEL"];

const rows = (table: Readonly<Record<string, string>>) =>
  Object.entries(table).map(([type, fields]) => ({ type, fields: fields.split(" ") }));

describe("[catalogue] the tables of the specification", () => {
  it.each(rows(BADGES))("[spec 2] badges of $type", ({ type, fields }) => {
    expect(deviceTypeOf(type).badges).toEqual(fields);
  });

  it.each(rows(COLUMNS))("[spec 2] columns of $type", ({ type, fields }) => {
    expect(deviceTypeOf(type).columns).toEqual(fields);
  });

  it("[spec 2] shows the badges as columns for a type without columns of its own", () => {
    for (const type of ["LAT", "SSH", "FMS02", "WATERLEVEL"]) {
      expect(deviceTypeOf(type).columns).toEqual(deviceTypeOf(type).badges);
    }
  });

  it.each(rows(LOG_FIELDS))("[spec 3] log fields of $type", ({ type, fields }) => {
    const { cards } = deviceTypeOf(type);
    expect(cards.flatMap((card) => card.fields).toSorted()).toEqual(fields.toSorted());
    const isDevice = DEVICE_CARDS.includes(type);
    expect(cards.every(({ title }) => title === (isDevice ? "device" : "measurement"))).toBe(true);
    if (!isDevice) expect(cards.every((card) => card.fields.length === 1)).toBe(true);
  });
});
