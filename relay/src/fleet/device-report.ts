import { LogEntry } from "@mulkko/shared/entities/log-entry";
import type { FleetFlip } from "@mulkko/shared/live/fleet";
import { DeviceLink, Quality } from "@mulkko/shared/rules/quality";
import { ForeignSerial, Id } from "@mulkko/shared/schema/id";
import { Instant } from "@mulkko/shared/schema/instant";
import { Nullable } from "@mulkko/shared/schema/nullable";
import { parse } from "@mulkko/shared/schema/parse";
import Type from "typebox";
import type { StateValue } from "../store/streams.ts";
import type { DeviceReport } from "./account-report.ts";

const Text = Type.Optional(Nullable(Type.String()));
const Amount = Type.Optional(Nullable(Type.Number()));
const Shown = { quality: Nullable(Quality), heardAt: Nullable(Instant) };

/** The fields read from `sensor:{id}` and `controller:{id}`. The relay itself writes both values. */
const ShownSensor = Type.Object({
  ...Shown,
  info: Type.Object({
    id: Id,
    name: Text,
    deviceType: Type.String(),
    serial: ForeignSerial,
    latitude: Amount,
    longitude: Amount,
  }),
  reading: Nullable(
    Type.Object({
      battery: Amount,
      rssi: LogEntry.properties.rssi,
      fwversion: LogEntry.properties.fwversion,
    }),
  ),
});
const ShownController = Type.Object({
  ...Shown,
  info: Type.Object({ id: Id, name: Text, type: Text, serial: ForeignSerial }),
  link: Type.Optional(Nullable(DeviceLink)),
  rssi: Nullable(Type.Number()),
  fwversion: Nullable(Type.String()),
});

/** Return null for 0, which means "not placed". */
export const placed = (degrees: number | null | undefined): number | null => degrees || null;

/** Return a device of an account as the fleet shows it, or null if the value is no device. */
export function deviceReport(key: string, value: StateValue, flip: FleetFlip | null): DeviceReport | null {
  if (key.startsWith("sensor:")) {
    const sensor = parse(ShownSensor, value);
    if (!sensor.ok) return null;
    const { info, reading, quality, heardAt } = sensor.value;
    const fwversion = reading?.fwversion;
    return {
      id: info.id,
      kind: "sensor",
      name: info.name ?? null,
      deviceType: info.deviceType,
      serial: info.serial,
      latitude: placed(info.latitude),
      longitude: placed(info.longitude),
      quality,
      flip,
      battery: reading?.battery ?? null,
      rssi: reading?.rssi ?? null,
      fwversion: fwversion === null || fwversion === undefined ? null : String(fwversion),
      heardAt,
    };
  }
  if (!key.startsWith("controller:")) return null;
  const controller = parse(ShownController, value);
  if (!controller.ok) return null;
  const { info, quality, heardAt, rssi, fwversion, link = null } = controller.value;
  return {
    id: info.id,
    kind: "controller",
    name: info.name ?? null,
    deviceType: info.type ?? null,
    serial: info.serial,
    latitude: null,
    longitude: null,
    quality,
    link,
    flip,
    battery: null,
    rssi,
    fwversion,
    heardAt,
  };
}
