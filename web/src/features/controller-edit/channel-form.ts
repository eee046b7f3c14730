import { channelCountOf } from "@mulkko/shared/catalogue/controller-types";
import { type MAX_CHANNELS, MAX_SENSORS_PER_CHANNEL } from "@mulkko/shared/rules/valve";

/** Possible channel numbers, ascending. */
export const CHANNEL_NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8] as const satisfies { length: typeof MAX_CHANNELS };
export type ChannelNumber = (typeof CHANNEL_NUMBERS)[number];

/** Form field of a channel. */
export type ChannelField = `ch${ChannelNumber}`;

/**
 * Channels of a controller as form fields: the ids of the sensors, or null for a channel that does not exist.
 * One field each, so that another user's change to one does not affect the others.
 */
export type ChannelFields = { readonly [Field in ChannelField]: readonly string[] | null };

export const fieldOfChannel = (number: ChannelNumber): ChannelField => `ch${number}`;

/** Return the fields of the existing channels. @param channels by number, with the ids of their sensors */
export function channelFields(
  channels: Iterable<{ readonly number: number; readonly sensorIds: readonly (string | number)[] }>,
): ChannelFields {
  const fields: Record<ChannelField, readonly string[] | null> = {
    ch1: null,
    ch2: null,
    ch3: null,
    ch4: null,
    ch5: null,
    ch6: null,
    ch7: null,
    ch8: null,
  };
  for (const { number, sensorIds } of channels) {
    const known = CHANNEL_NUMBERS.find((each) => each === number);
    if (known) fields[fieldOfChannel(known)] = sensorIds.map(String);
  }
  return fields;
}

/** The valves' own names (NAME-1) as form fields, one per channel; empty if not set. */
export type NameFields = { readonly [Field in NameField]: string };
type NameField = `name${ChannelNumber}`;

export const nameFieldOf = (number: ChannelNumber): NameField => `name${number}`;

/** Return the names of the existing channels. */
export function nameFields(
  channels: Iterable<{ readonly number: number; readonly name: string | null }>,
): NameFields {
  const fields = { name1: "", name2: "", name3: "", name4: "", name5: "", name6: "", name7: "", name8: "" };
  for (const { number, name } of channels) {
    const known = CHANNEL_NUMBERS.find((each) => each === number);
    if (known) fields[nameFieldOf(known)] = name ?? "";
  }
  return fields;
}

/** Return the channels whose name changed; null if it was removed. */
export function changedNames<Channel extends { readonly number: number }>(
  channels: Iterable<Channel>,
  before: NameFields,
  values: NameFields,
): { channel: Channel; name: string | null }[] {
  return [...channels].flatMap((channel) => {
    const number = CHANNEL_NUMBERS.find((each) => each === channel.number);
    if (number === undefined) return [];
    const name = values[nameFieldOf(number)].trim();
    return name === before[nameFieldOf(number)].trim() ? [] : [{ channel, name: name || null }];
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
export const editedChannels = (
  fields: ChannelFields,
  server: ChannelFields,
  controllerType: string,
): readonly ChannelNumber[] => {
  const offered = offeredChannels(controllerType);
  return CHANNEL_NUMBERS.filter((number) => {
    const field = fieldOfChannel(number);
    return offered.includes(number) || server[field] !== null || fields[field] !== null;
  });
};

/** Select all channels of a type and no others, and keep their selected sensors. */
export function channelsOfType(fields: ChannelFields, controllerType: string): ChannelFields {
  return channelFields(
    offeredChannels(controllerType).map((number) => ({
      number,
      sensorIds: fields[fieldOfChannel(number)] ?? [],
    })),
  );
}

export const areAllChosen = (
  fields: ChannelFields,
  offered: readonly ChannelNumber[] = CHANNEL_NUMBERS,
): boolean => offered.every((number) => fields[fieldOfChannel(number)] !== null);

/** Select a channel without sensors, or deselect it. A channel of the server stays selected. */
export function toggleChannel(
  fields: ChannelFields,
  server: ChannelFields,
  number: ChannelNumber,
): ChannelFields {
  const field = fieldOfChannel(number);
  if (server[field] !== null) return fields;
  return { ...fields, [field]: fields[field] === null ? [] : null };
}

/** Select all offered channels; if all are selected, return to the server's channels. */
export function toggleAll(
  fields: ChannelFields,
  server: ChannelFields,
  offered: readonly ChannelNumber[] = CHANNEL_NUMBERS,
): ChannelFields {
  if (areAllChosen(fields, offered)) return server;
  return channelFields(
    offered.map((number) => ({ number, sensorIds: fields[fieldOfChannel(number)] ?? [] })),
  );
}

export const isFull = (sensorIds: readonly string[]): boolean => sensorIds.length >= MAX_SENSORS_PER_CHANNEL;

/** Add sensors to those of a channel, without duplicates, up to three. */
export function mergeSensors(present: readonly string[], added: readonly string[]): readonly string[] {
  return [...new Set([...present, ...added])].slice(0, Math.max(present.length, MAX_SENSORS_PER_CHANNEL));
}

/** Channel in the requests that add and change a controller. */
export interface SentChannel {
  readonly channelNumber: number;
  readonly sensorIds: string[];
}

/** Return the channels of a change: each selected channel gets exactly these sensors. */
export function changedChannels(fields: ChannelFields): SentChannel[] {
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
export function addedChannels(fields: ChannelFields, takesEmpty: boolean): SentChannel[] | undefined {
  const channels = changedChannels(fields);
  const isSent = takesEmpty ? channels.length > 0 : channels.some(({ sensorIds }) => sensorIds.length > 0);
  return isSent ? channels : undefined;
}
