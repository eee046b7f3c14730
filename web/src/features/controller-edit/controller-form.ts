import type { ControllerInfo } from "@mulkko/shared/entities/controller";
import type { ControllerAddBody, ControllerUpdateBody } from "@mulkko/shared/rest/controller";
import { MAX_SERIAL_DIGITS } from "@mulkko/shared/rest/sensor";
import {
  addedChannels,
  type ChannelFields,
  changedChannels,
  channelFields,
  type NameFields,
  nameFields,
} from "./channel-form.ts";
import type { ServerChannel } from "./use-controller.ts";

/** What a person may say of a controller. Texts as they are typed. */
export interface ControllerValues extends ChannelFields, NameFields {
  readonly name: string;
  readonly serial: string;
  readonly description: string;
  /** CON04V, CON04E or CON01W. */
  readonly type: string;
  /** Id of its farm; `0` is none (extension `controller-farm`). */
  readonly clusterId: string;
  /** Extension `drivers`. */
  readonly driver: string;
  readonly address: string;
}

/** What the API takes beyond the plain contract. */
export interface Offers {
  readonly farms: boolean;
  readonly drivers: boolean;
}

export const NO_FARM = "0";
/** The driver of a controller that speaks our own topics. */
export const NATIVE = "native";
export const DRIVERS = [NATIVE, "shelly-gen2", "tasmota"] as const;

export const EMPTY_CONTROLLER: ControllerValues = {
  name: "",
  serial: "",
  description: "",
  type: "CON04V",
  clusterId: NO_FARM,
  driver: NATIVE,
  address: "",
  ...channelFields([]),
  ...nameFields([]),
};

/** A controller as it is on the live stream, as the form shows it. */
export function controllerValues(info: ControllerInfo, channels: readonly ServerChannel[]): ControllerValues {
  return {
    name: info.name ?? "",
    serial: `${info.serial}`,
    description: info.description ?? "",
    type: info.type ?? "",
    clusterId: `${info.clusterId ?? NO_FARM}`,
    driver: info.driver ?? NATIVE,
    address: info.address ?? "",
    ...channelFields(channels),
    ...nameFields(channels),
  };
}

/** A serial as it is sent: digits, without leading zeros. */
export function serialOf(text: string): string {
  return text.trim().replace(/^0+(?=\d)/, "");
}

/** What is wrong with a field, by the words for it. */
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

/** The fields beyond the plain contract, as far as the API takes them. */
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

/** Body of a new controller; channels only where sensors were chosen. */
export function addBody(values: ControllerValues, offers: Offers): ControllerAddBody {
  const channels = addedChannels(values);
  return {
    ...plain(values),
    type: values.type,
    ...extensions(values, offers),
    ...(channels ? { channels } : {}),
  };
}

/** Body of a change. The type goes only where it is another: the plain contract does not name it. */
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
