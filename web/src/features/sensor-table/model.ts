import { sensorCategories, sensorTables } from "@mulkko/shared/catalogue/categories";
import type { DeviceType, FieldSpec } from "@mulkko/shared/catalogue/device-type";
import { deviceTypeOf, fieldAs, fieldOf } from "@mulkko/shared/catalogue/registry";
import type { SensorValue } from "@mulkko/shared/live/devices";
import { shownTime } from "@mulkko/shared/live/value-age";
import { deviceName } from "@mulkko/shared/rules/device-name";
import type { TFunction } from "i18next";
import { useCallback, useEffect, useMemo, useState } from "react";
import { shallow } from "zustand/shallow";
import { type Sheet, sheetOf } from "../../domain/log/export/write-workbook.ts";
import { fieldFormat, firmwareOf, readingNumber } from "../../domain/reading/reading.ts";
import { byName } from "../../i18n/by-name.ts";
import { searchFor } from "../../i18n/search.ts";
import { type LiveFarm, useLiveFarm, useLiveSelection } from "../../live/hooks.ts";

const SENSORS = ["sensor.listing"] as const;

/** Milliseconds without user input after which rows may move. */
const IDLE_MS = 30_000;

const TOUCHES = ["pointermove", "pointerdown", "keydown", "wheel", "touchmove"] as const;

/** Count the times of 30 s without user input. */
function useIdleRounds(): number {
  const [round, setRound] = useState(0);
  useEffect(() => {
    const start = () => setInterval(() => setRound((count) => count + 1), IDLE_MS);
    let timer = start();
    const again = () => {
      clearInterval(timer);
      timer = start();
    };
    for (const touch of TOUCHES) window.addEventListener(touch, again, { passive: true });
    return () => {
      clearInterval(timer);
      for (const touch of TOUCHES) window.removeEventListener(touch, again);
    };
  }, []);
  return round;
}

/** Return the present types whose tables an address opens. */
export function useTables(type: string): readonly string[] {
  return useLiveSelection(SENSORS, ({ sensors }) => tablesOf(sensors, type), shallow);
}

/**
 * Return the rows of a type's table as last sorted. Their cells are live, but no row moves under the pointer.
 * Rows are sorted again when a sensor is added, removed or renamed, when `moment` changes, and without user
 * input.
 */
export function useTableRows(name: string, moment: string): { type: DeviceType; rows: readonly SensorRow[] } {
  const farm = useLiveFarm();
  const round = useIdleRounds();
  const who = useLiveSelection(
    SENSORS,
    useCallback(
      ({ sensors }: LiveFarm) => {
        const type = tableType(sensors, name);
        return sensorRows(sensors, type)
          .map(({ id, name: called, serial, description }) => [id, called, serial, description].join("\t"))
          .join("\n");
      },
      [name],
    ),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: they decide when the rows are sorted again, not their content
  return useMemo(() => {
    const { sensors } = farm();
    const type = tableType(sensors, name);
    return { type, rows: sensorRows(sensors, type) };
  }, [farm, name, who, moment, round]);
}

export const PAGE_SIZE = 50;

/** Sensor at the time when the table was sorted; its cells are live. */
export interface SensorRow {
  readonly id: string;
  readonly name: string;
  readonly serial: string;
  readonly deviceType: string;
  readonly description: string;
  /** By field, in API units; null if missing. */
  readonly values: Readonly<Record<string, number | null>>;
  readonly firmware: string;
  /** Time of the newest measurement; ISO. */
  readonly at: string | null;
  /** Time of the device's last contact; ISO. */
  readonly heardAt: string | null;
  /** Since when the device's clock has been wrong; ISO, null while it is right. */
  readonly clockWrongSince: string | null;
  /** Time from which its main number is as old as drawn; ISO. */
  readonly shownAt: string | null;
}

/** Return the measurement columns of a type. For an unknown type they come from its newest readings. */
export function measuredColumns(type: DeviceType): FieldSpec[] {
  return type.columns.map((name) => fieldOf(type, name));
}

/** Return the catalogue's entry for a type, or one derived from sample readings of an unknown type. */
export function tableType(sensors: ReadonlyMap<string, SensorValue>, type: string): DeviceType {
  const sample = [...sensors.values()].find(({ info, reading }) => info.deviceType === type && reading);
  return deviceTypeOf(type, sample?.reading ?? {});
}

/** Return the table that contains a type, named as one of its types. */
export function tableOf(type: string): string {
  return sensorTables([type])[0]?.name ?? type;
}

/** Return the tables of a type's category that have sensors; at least the type's own. */
export function tablesOf(sensors: ReadonlyMap<string, SensorValue>, type: string): string[] {
  const category = sensorCategories([type], false)[0]?.types ?? [type];
  const present = new Set([...sensors.values()].map(({ info }) => info.deviceType));
  const there = sensorTables(category).filter(({ types }) => types.some((each) => present.has(each)));
  return there.length === 0 ? [tableOf(type)] : there.map(({ name }) => name);
}

/** Return all sensors of a table, by name. */
export function sensorRows(sensors: ReadonlyMap<string, SensorValue>, type: DeviceType): SensorRow[] {
  return [...sensors]
    .filter(([, { info }]) => tableOf(info.deviceType) === type.type)
    .map(([id, sensor]) => ({ id, ...sensor, shownAt: shownTime(sensor) }))
    .map(({ id, info, reading, at, heardAt, clockWrongSince = null, shownAt }) => ({
      id,
      name: deviceName(info),
      serial: `${info.serial ?? "--"}`,
      deviceType: info.deviceType,
      description: info.description?.trim() ?? "",
      values: Object.fromEntries(type.columns.map((name) => [name, readingNumber(reading, name)])),
      firmware: firmwareOf(reading),
      at,
      heardAt,
      clockWrongSince,
      shownAt,
    }))
    .sort(byName);
}

/** Return the rows whose name, serial or description contains a text. */
export function foundRows(rows: readonly SensorRow[], text: string): readonly SensorRow[] {
  const search = searchFor(text);
  return rows.filter(({ name, serial, description }) => search(name, serial, description));
}

/** Convert a value to display units and round it to the field's digits; null if missing. */
export function shownNumber(value: number | null, field: FieldSpec): number | null {
  const { decimals, scale = 1 } = fieldFormat(fieldAs(field, value), "log");
  return value === null ? null : Number((value * scale).toFixed(decimals));
}

/**
 * Build a spreadsheet of the table: displayed numbers, date cells, and empty cells for missing values.
 *
 * @param fieldName translates a field
 * @param wallTime formats an instant (ms UTC) as `YYYY-MM-DD HH:mm:ss` on the account's clock
 */
export function tableSheet(
  fields: readonly FieldSpec[],
  rows: readonly SensorRow[],
  t: TFunction<["sensor-table", "common"]>,
  fieldName: (name: string) => string,
  wallTime: (instant: number) => string,
): Omit<Sheet, "name"> {
  const measured = fields.map((field) => {
    const known = rows.flatMap(({ values }) => values[field.name] ?? []);
    const units = [...new Set(known.map((value) => fieldAs(field, value).unit))];
    const unit = field.unit === "" ? "" : ` (${units.join(", ") || field.unit})`;
    const value = ({ values }: SensorRow) => shownNumber(values[field.name] ?? null, field);
    return { head: `${fieldName(field.name)}${unit}`, kind: "number", value } as const;
  });
  const time = (text: string | null) => (text === null ? null : wallTime(Date.parse(text)));
  return sheetOf(
    [
      { head: t("name"), kind: "text", value: ({ name }) => name },
      { head: t("common:field.serial"), kind: "text", value: ({ serial }) => serial },
      ...measured,
      { head: t("common:field.fwversion"), kind: "text", value: ({ firmware }) => firmware },
      { head: t("contact"), kind: "time", value: ({ heardAt }) => time(heardAt) },
      { head: t("common:field.createdDate"), kind: "time", value: ({ at }) => time(at) },
      ...(rows.some(({ clockWrongSince }) => clockWrongSince !== null)
        ? [
            {
              head: t("common:clockFault.column"),
              kind: "time",
              value: ({ clockWrongSince }: SensorRow) => time(clockWrongSince),
            } as const,
          ]
        : []),
    ],
    rows,
  );
}
