import { channelCountOf } from "@mulkko/shared/catalogue/controller-types";
import type { ControllerInfo } from "@mulkko/shared/entities/controller";
import type { ControllerAddBody, ControllerUpdateBody } from "@mulkko/shared/rest/controller";
import { MAX_SERIAL_DIGITS } from "@mulkko/shared/rest/sensor";
import { type MAX_CHANNELS, MAX_SENSORS_PER_CHANNEL } from "@mulkko/shared/rules/valve";

/** Possible channel numbers, ascending. */
export const CHANNEL_NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8] as const satisfies { length: typeof MAX_CHANNELS };
export type ChannelNumber = (typeof CHANNEL_NUMBERS)[number];

/** Form field of a channel. */
type ChannelField = `ch${ChannelNumber}`;
type NameField = `name${ChannelNumber}`;

/**
 * Channels of a controller as form fields: the ids of the sensors, or null for a channel that does not exist.
 * One field each, so that another user's change to one does not affect the others.
 */
export type ChannelFields = { readonly [Field in ChannelField]: readonly string[] | null };

/** The valves' own names (NAME-1) as form fields, one per channel; empty if not set. */
type NameFields = { readonly [Field in NameField]: string };

export const fieldOfChannel = (number: ChannelNumber): ChannelField => `ch${number}`;
export const nameFieldOf = (number: ChannelNumber): NameField => `name${number}`;

export const NO_CHANNELS = {
  ...{ ch1: null, ch2: null, ch3: null, ch4: null, ch5: null, ch6: null, ch7: null, ch8: null },
  ...{ name1: "", name2: "", name3: "", name4: "", name5: "", name6: "", name7: "", name8: "" },
};

/** Return the fields of the existing channels; a number that no channel can have is left out. */
export function channelFields(
  channels: Iterable<Pick<ServerChannel, "number" | "sensorIds"> & Partial<Pick<ServerChannel, "name">>>,
): ChannelFields & NameFields {
  const fields: Record<ChannelField, readonly string[] | null> & Record<NameField, string> = {
    ...NO_CHANNELS,
  };
  for (const { number, name, sensorIds } of channels) {
    const known = CHANNEL_NUMBERS.find((each) => each === number);
    if (known === undefined) continue;
    fields[fieldOfChannel(known)] = sensorIds;
    fields[nameFieldOf(known)] = name ?? "";
  }
  return fields;
}

/** Return the channels whose name changed; null if it was removed. */
export function changedNames<Channel extends { readonly number: number }>(
  channels: readonly Channel[],
  before: NameFields,
  values: NameFields,
): { channel: Channel; name: string | null }[] {
  return CHANNEL_NUMBERS.flatMap((number) => {
    const channel = channels.find((each) => each.number === number);
    const name = values[nameFieldOf(number)].trim();
    return channel && name !== before[nameFieldOf(number)].trim() ? [{ channel, name: name || null }] : [];
  });
}

/** Return the selected channels, ascending. */
export function chosenChannels(fields: ChannelFields): readonly ChannelNumber[] {
  return CHANNEL_NUMBERS.filter((number) => fields[fieldOfChannel(number)] !== null);
}

/** Return the channels to offer for a new controller of a type. */
export const offeredChannels = (controllerType: string): readonly ChannelNumber[] =>
  CHANNEL_NUMBERS.slice(0, channelCountOf(controllerType));

/**
 * Return the channels to offer for a registered controller: those of its type, further ones that the farm API
 * has, and selected ones.
 */
export const editedChannels = (fields: ControllerValues, server: ChannelFields): readonly ChannelNumber[] => {
  const offered = offeredChannels(fields.type);
  return CHANNEL_NUMBERS.filter((number) => {
    const field = fieldOfChannel(number);
    return offered.includes(number) || server[field] !== null || fields[field] !== null;
  });
};

/** Select all channels of a type and no others, and keep their selected sensors. */
export const channelsOfType = (fields: ChannelFields, controllerType: string) =>
  channelFields(
    offeredChannels(controllerType).map((number) => ({
      number,
      sensorIds: fields[fieldOfChannel(number)] ?? [],
    })),
  );

export const isFull = (sensorIds: readonly string[]): boolean => sensorIds.length >= MAX_SENSORS_PER_CHANNEL;

/** Add sensors to those of a channel, without duplicates, up to three. */
export function mergeSensors(present: readonly string[], added: readonly string[]): readonly string[] {
  return [...new Set([...present, ...added])].slice(0, Math.max(present.length, MAX_SENSORS_PER_CHANNEL));
}

/** Return the channels of a change: each selected channel gets exactly these sensors. */
export function changedChannels(fields: ChannelFields) {
  return chosenChannels(fields).map((number) => ({
    channelNumber: number,
    sensorIds: [...(fields[fieldOfChannel(number)] ?? [])],
  }));
}

/**
 * Return the channels of the request for a new controller; undefined for none.
 *
 * @param takesEmpty the API accepts channels without sensors; the base contract sends channels only if a
 *   sensor was selected
 */
export function addedChannels(fields: ChannelFields, takesEmpty: boolean) {
  const channels = changedChannels(fields);
  const isSent = takesEmpty ? channels.length > 0 : channels.some(({ sensorIds }) => sensorIds.length > 0);
  return isSent ? channels : undefined;
}

/** Channel stored on the server. */
export interface ServerChannel {
  readonly id: string;
  readonly number: number;
  /** The valve's own name (NAME-1); null if not set. */
  readonly name: string | null;
  readonly sensorIds: readonly string[];
}

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
  /** New picture (extension `controller-image`). */
  readonly image: File | null;
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
  image: null,
  ...channelsOfType(NO_CHANNELS, PRESET_TYPE),
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
    image: null,
    ...channelFields(channels),
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
