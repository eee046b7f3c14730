import {
  type AccountSettings,
  type ChannelSettingsBody,
  MAX_LARGEST_FLOW,
} from "@mulkko/shared/rest/settings";
import { LONGEST_RUN_SECONDS } from "@mulkko/shared/rules/valve";
import { changedFields } from "../../api/http.ts";
import { readDecimal } from "../form/decimal.ts";

const MINUTE_SECONDS = 60;
/** Minutes to which the limit of manual openings can be raised (RUN-1). */
export const HARD_CAP_MINUTES = LONGEST_RUN_SECONDS / MINUTE_SECONDS;
/** Value of a channel without a flow meter. */
export const NO_METER = "";

/** Fault of typed minutes. */
type MinutesFault = "not-whole" | "too-many";

/** Parse typed minutes: null if empty; `fault` unless a whole number from 1 to `most`. */
export function readMinutes(
  text: string,
  most: number,
): { minutes: number | null; fault: MinutesFault | null } {
  const typed = text.trim();
  if (typed === "") return { minutes: null, fault: null };
  const minutes = /^\d{1,5}$/.test(typed) ? Number(typed) : 0;
  if (minutes < 1) return { minutes: null, fault: "not-whole" };
  return minutes > most ? { minutes: null, fault: "too-many" } : { minutes, fault: null };
}

/** Return typed minutes as seconds; null if they are empty or not allowed. @param most minutes */
export function secondsOf(text: string, most: number): number | null {
  const { minutes } = readMinutes(text, most);
  return minutes === null ? null : minutes * MINUTE_SECONDS;
}

/** Parse a typed flow, L/min: null if empty; undefined unless a number above 0 up to the largest. */
export function readFlow(text: string): number | null | undefined {
  const flow = readDecimal(text);
  return flow === null || (flow > 0 && flow <= MAX_LARGEST_FLOW) ? flow : undefined;
}

/** Return the stored limit of manual openings of a controller or COT sensor as a form has it, minutes. */
export function capValuesOf(settings: AccountSettings | null, unitId: string) {
  const set = settings?.controllers[unitId]?.maxRunSeconds;
  return { minutes: set === undefined ? "" : `${Math.floor(set / MINUTE_SECONDS)}` };
}

/** Settings of a valve as typed: its name, its run time in minutes, its flow meter and the largest flow in L/min. */
export interface ChannelValues {
  readonly name: string;
  readonly minutes: string;
  readonly meter: string;
  readonly flow: string;
}

/** Return the stored settings of a channel as a form has them. */
export function channelValuesOf(settings: AccountSettings | null, channelId: string): ChannelValues {
  const stored = settings?.channels[channelId] ?? {};
  const { defaultRunSeconds: set, name = "", flowSensorId: meter = NO_METER, largestFlow } = stored;
  return {
    name,
    minutes: set === undefined ? "" : `${Math.round(set / MINUTE_SECONDS)}`,
    meter,
    flow: largestFlow === undefined ? "" : `${largestFlow}`,
  };
}

/**
 * Return the request that changes a channel's settings from the stored values; null if nothing changes. A page does not
 * follow the settings: a field that was not changed on it may be another one by now, and stays.
 *
 * @param cap longest opening of the channel, minutes
 */
export function channelBodyOf(
  values: ChannelValues,
  stored: ChannelValues,
  cap: number,
): ChannelSettingsBody | null {
  const wholeOf = ({ name, minutes, meter, flow }: ChannelValues, most: number) => ({
    name: name.trim() || null,
    defaultRunSeconds: secondsOf(minutes, most),
    flowSensorId: meter === NO_METER ? null : meter,
    largestFlow: meter === NO_METER ? null : (readFlow(flow) ?? null),
  });
  const changed = changedFields(wholeOf(values, cap), wholeOf(stored, HARD_CAP_MINUTES));
  return Object.keys(changed).length === 0 ? null : changed;
}
