import { deviceName } from "@mulkko/shared/rules/device-name";
import { ALL_SENSORS, type OwnedSensor } from "../../api/admin-sensors.ts";
import type { ListAddress } from "../../components/table-address.ts";
import { type FoundRows, useFoundRows } from "../../domain/admin-list/use-found-rows.ts";

const columnsOf = (sensor: OwnedSensor) => [
  sensor.id,
  deviceName(sensor),
  sensor.serial,
  sensor.deviceType,
  sensor.description,
  sensor.username,
];

/** Load the sensors of all accounts with the search, page and order in the address. */
export const useAllSensors = (address: ListAddress): FoundRows<OwnedSensor> =>
  useFoundRows(ALL_SENSORS, address, columnsOf);
