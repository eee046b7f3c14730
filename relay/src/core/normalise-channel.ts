import { type ControllerState, modesOf, onoffOf } from "@mulkko/shared/entities/controller-state";
import type { Modes } from "@mulkko/shared/live/devices";
import type { OutChannel } from "@mulkko/shared/mqtt/out-messages";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { DeviceLink } from "@mulkko/shared/rules/quality";
import { activeMode } from "@mulkko/shared/rules/valve";
import type { ChannelReport } from "../ports/channel-report.ts";

/** A channel's report, with what belongs to its controller. */
export interface ChannelState {
  readonly report: ChannelReport;
  readonly modes: Modes;
  /** %; undefined where the report does not carry it. */
  readonly moisture: number | null | undefined;
  readonly rssi: number | null;
  readonly fwversion: string | null;
  readonly link: DeviceLink | null;
  /** Whether the valve itself keeps a limit to every opening; null where nothing is said of it. */
  readonly limit: "valve" | "none" | null;
}

const instantOf = (text: string | null | undefined, zone: ApiTimeZone): number | null => {
  if (!text) return null;
  const withZone = /(Z|[+-]\d{2}:?\d{2})$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(withZone) ? zone.toInstant(text) : withZone;
};

function stateOf(
  state: ControllerState,
  zone: ApiTimeZone,
): Omit<ChannelState, "report" | "moisture"> & {
  common: Pick<ChannelReport, "onoff" | "commandId" | "runUntil" | "activeMode">;
} {
  const modes = modesOf(state);
  const firmware = state.fwversion;
  return {
    modes,
    rssi: state.rssi ?? null,
    fwversion: firmware === null || firmware === undefined ? null : String(firmware),
    link: state.link ?? null,
    limit: state.limit ?? null,
    common: {
      onoff: onoffOf(state),
      commandId: state.commandId ?? null,
      runUntil: instantOf(state.runUntil, zone),
      activeMode: modes.active,
    },
  };
}

/**
 * The answer of `refresh`. A plain API says nothing of when the device was heard.
 *
 * @param askedAt when the request began, ms UTC
 */
export function polledChannel(state: ControllerState, askedAt: number, zone: ApiTimeZone): ChannelState {
  const { common, ...rest } = stateOf(state, zone);
  const at = instantOf(state.createdDate, zone);
  return { ...rest, moisture: undefined, report: { ...common, at, heardAt: at, via: "poll", askedAt } };
}

/** A message of the API's output topic, which came in at `arrivedAt` (ms UTC). */
export function heardChannel(message: OutChannel, arrivedAt: number, zone: ApiTimeZone): ChannelState {
  const { common, ...rest } = stateOf(message, zone);
  const at = instantOf(message.at, zone);
  const heardAt = instantOf(message.heardAt, zone);
  return {
    ...rest,
    moisture: message.moisture,
    report: { ...common, at, heardAt, via: "mqtt", askedAt: arrivedAt },
  };
}

/** The newest row of a COT log, where there is no `refresh`. */
export function loggedChannel(
  row: { createdDate: string; valve: 0 | 1 | 2; moisture: number | null },
  askedAt: number,
  zone: ApiTimeZone,
): ChannelState {
  const at = zone.toInstant(row.createdDate);
  const noFlags = { automatic: 0, period: 0, reservation: 0 };
  const active = activeMode(noFlags);
  return {
    report: {
      onoff: row.valve,
      at,
      heardAt: at,
      commandId: null,
      runUntil: null,
      via: "poll",
      askedAt,
      activeMode: active,
    },
    modes: { active, automatic: null, reservation: null, period: null },
    moisture: row.moisture,
    rssi: null,
    fwversion: null,
    link: null,
    limit: null,
  };
}
