import { MAX_CHANNELS, MAX_SENSORS_PER_CHANNEL } from "@mulkko/shared/rules/valve";

/** The numbers that a channel may have, ascending. */
export const CHANNEL_NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8] as const satisfies { length: typeof MAX_CHANNELS };
export type ChannelNumber = (typeof CHANNEL_NUMBERS)[number];

/** A channel's field of the form. */
export type ChannelField = `ch${ChannelNumber}`;

/**
 * The channels of a controller as fields of a form, one each, so that what somebody else changes in one does not
 * touch the others: the ids of its sensors, or null where the controller has no such channel.
 */
export type ChannelFields = { readonly [Field in ChannelField]: readonly string[] | null };

export const fieldOfChannel = (number: ChannelNumber): ChannelField => `ch${number}`;

/** Fields of the channels that are there. @param channels by number, with the ids of their sensors */
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

/** The valves' own names (NAME-1) as fields of a form, one a channel; empty where none is set. */
export type NameFields = { readonly [Field in NameField]: string };
type NameField = `name${ChannelNumber}`;

export const nameFieldOf = (number: ChannelNumber): NameField => `name${number}`;

/** Return the names of the channels that are there. */
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

/** Return the channels whose name is another than before; null where it was taken away. */
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

/** The chosen channels, ascending. */
export function chosenChannels(fields: ChannelFields): readonly ChannelNumber[] {
  return CHANNEL_NUMBERS.filter((number) => fields[fieldOfChannel(number)] !== null);
}

export const areAllChosen = (fields: ChannelFields): boolean =>
  chosenChannels(fields).length === MAX_CHANNELS;

/** Chooses a channel, without sensors, or takes it out again; one that the server has stays. */
export function toggleChannel(
  fields: ChannelFields,
  server: ChannelFields,
  number: ChannelNumber,
): ChannelFields {
  const field = fieldOfChannel(number);
  if (server[field] !== null) return fields;
  return { ...fields, [field]: fields[field] === null ? [] : null };
}

/** All eight; where all eight are chosen already, those of the server as it has them. */
export function toggleAll(fields: ChannelFields, server: ChannelFields): ChannelFields {
  if (areAllChosen(fields)) return server;
  return channelFields(
    CHANNEL_NUMBERS.map((number) => ({ number, sensorIds: fields[fieldOfChannel(number)] ?? [] })),
  );
}

export const isFull = (sensorIds: readonly string[]): boolean => sensorIds.length >= MAX_SENSORS_PER_CHANNEL;

/** Adds sensors to those of a channel, each once, up to three. */
export function mergeSensors(present: readonly string[], added: readonly string[]): readonly string[] {
  return [...new Set([...present, ...added])].slice(0, Math.max(present.length, MAX_SENSORS_PER_CHANNEL));
}

/** A channel as both calls send it. */
export interface SentChannel {
  readonly channelNumber: number;
  readonly sensorIds: string[];
}

/** What a change sends: each chosen channel gets exactly these sensors. */
export function changedChannels(fields: ChannelFields): SentChannel[] {
  return chosenChannels(fields).map((number) => ({
    channelNumber: number,
    sensorIds: [...(fields[fieldOfChannel(number)] ?? [])],
  }));
}

/** What a new controller sends: its channels, if sensors were chosen for any (the specification); else undefined. */
export function addedChannels(fields: ChannelFields): SentChannel[] | undefined {
  const channels = changedChannels(fields);
  return channels.some(({ sensorIds }) => sensorIds.length > 0) ? channels : undefined;
}
