import { LogEntry } from "@mulkko/shared/entities/log-entry";
import type { FleetFlip } from "@mulkko/shared/live/fleet";
import { Quality } from "@mulkko/shared/rules/quality";
import { Id, Serial } from "@mulkko/shared/schema/id";
import { Instant } from "@mulkko/shared/schema/instant";
import { Nullable } from "@mulkko/shared/schema/nullable";
import { parse } from "@mulkko/shared/schema/parse";
import Type from "typebox";
import type { StateValue } from "../ports/streams.ts";
import type { DeviceReport } from "./account-report.ts";

const Text = Type.Optional(Nullable(Type.String()));
const Amount = Type.Optional(Nullable(Type.Number()));
const Shown = { quality: Nullable(Quality), heardAt: Nullable(Instant) };

/** What is read of `sensor:{id}` and `controller:{id}`; both are values of this relay's own making. */
const ShownSensor = Type.Object({
  ...Shown,
  info: Type.Object({
    id: Id,
    name: Text,
    deviceType: Type.String(),
    serial: Serial,
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
  info: Type.Object({ id: Id, name: Text, type: Text, serial: Serial }),
  rssi: Nullable(Type.Number()),
  fwversion: Nullable(Type.String()),
});

/** 0 is "not placed". */
export const placed = (degrees: number | null | undefined): number | null => degrees || null;

/** A device of an account as the fleet shows it; null for what is no device. */
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
  const { info, quality, heardAt, rssi, fwversion } = controller.value;
  return {
    id: info.id,
    kind: "controller",
    name: info.name ?? null,
    deviceType: info.type ?? null,
    serial: info.serial,
    latitude: null,
    longitude: null,
    quality,
    flip,
    battery: null,
    rssi,
    fwversion,
    heardAt,
  };
}
