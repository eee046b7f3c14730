import type { ControllerInfo } from "@mulkko/shared/entities/controller";
import type { ControllerAddBody, ControllerUpdateBody } from "@mulkko/shared/rest/controller";
import { MAX_SERIAL_DIGITS } from "@mulkko/shared/rest/sensor";
import {
  addedChannels,
  type ChannelFields,
  changedChannels,
  channelFields,
  channelsOfType,
  type NameFields,
  nameFields,
} from "./channel-form.ts";
import type { ServerChannel } from "./use-controller.ts";

/** Values of a controller's form, as typed. */
export interface ControllerValues extends ChannelFields, NameFields {
  readonly name: string;
  readonly serial: string;
  readonly description: string;
  /** CON04V, CON04E or CON01W. */
  readonly type: string;
  /** Id of its farm; `0` for none (extension `controller-farm`). */
  readonly clusterId: string;
  /** Extension `drivers`. */
  readonly driver: string;
  readonly address: string;
}

/** Fields that the API supports beyond the base contract. */
export interface Offers {
  readonly farms: boolean;
  readonly drivers: boolean;
}

export const NO_FARM = "0";
/** Driver of a controller that uses Mulkko's own topics. */
export const NATIVE = "native";
export const DRIVERS = [NATIVE, "shelly-gen2", "tasmota"] as const;

const PRESET_TYPE = "CON04V";

export const EMPTY_CONTROLLER: ControllerValues = {
  name: "",
  serial: "",
  description: "",
  type: PRESET_TYPE,
  clusterId: NO_FARM,
  driver: NATIVE,
  address: "",
  ...channelsOfType(channelFields([]), PRESET_TYPE),
  ...nameFields([]),
};

/** Return a controller from the live stream as form values. */
export function controllerValues(info: ControllerInfo, channels: readonly ServerChannel[]): ControllerValues {
  return {
    name: info.name ?? "",
    serial: `${info.serial ?? ""}`,
    description: info.description ?? "",
    type: info.type ?? "",
    clusterId: `${info.clusterId ?? NO_FARM}`,
    driver: info.driver ?? NATIVE,
    address: info.address ?? "",
    ...channelFields(channels),
    ...nameFields(channels),
  };
}

/** Return a serial as digits without leading zeros. */
export function serialOf(text: string): string {
  return text.trim().replace(/^0+(?=\d)/, "");
}

/** Fault of a field, as a translation key. */
export type ControllerFault = "nameRequired" | "serialRequired" | "serialDigits" | "addressRequired";

export function controllerFaults(
  values: ControllerValues,
  offers: Offers,
): Partial<Record<keyof ControllerValues, ControllerFault>> {
  const faults: Partial<Record<keyof ControllerValues, ControllerFault>> = {};
  if (values.name.trim() === "") faults.name = "nameRequired";
  const serial = serialOf(values.serial);
  if (serial === "") faults.serial = "serialRequired";
  else if (!/^\d+$/.test(serial) || serial.length > MAX_SERIAL_DIGITS) faults.serial = "serialDigits";
  const foreign = offers.drivers && values.driver !== NATIVE;
  if (foreign && values.address.trim() === "") faults.address = "addressRequired";
  return faults;
}

/** Return the fields beyond the base contract that the API supports. */
function extensions(values: ControllerValues, offers: Offers) {
  return {
    ...(offers.farms ? { clusterId: Number(values.clusterId) } : {}),
    ...(offers.drivers
      ? { driver: values.driver, address: values.driver === NATIVE ? null : values.address.trim() }
      : {}),
  };
}

const plain = (values: ControllerValues) => ({
  name: values.name.trim(),
  serial: serialOf(values.serial),
  description: values.description.trim(),
});

/**
 * Return the request of a new controller. An API without drivers gets channels only if sensors were selected.
 */
export function addBody(values: ControllerValues, offers: Offers): ControllerAddBody {
  const channels = addedChannels(values, offers.drivers);
  return {
    ...plain(values),
    type: values.type,
    ...extensions(values, offers),
    ...(channels ? { channels } : {}),
  };
}

/** Return the request that adds the channels which {@link addBody} left out; null for none. */
export function lateChannelsBody(
  values: ControllerValues,
  added: ControllerAddBody,
): ControllerUpdateBody | null {
  const channels = changedChannels(values);
  return added.channels === undefined && channels.length > 0 ? { ...plain(values), channels } : null;
}

/**
 * Return the request of a change. The type is included only if it changed: it is not in the base contract.
 */
export function changeBody(
  values: ControllerValues,
  before: Pick<ControllerValues, "type">,
  offers: Offers,
): ControllerUpdateBody {
  return {
    ...plain(values),
    ...(values.type === before.type ? {} : { type: values.type }),
    ...extensions(values, offers),
    channels: changedChannels(values),
  };
}
