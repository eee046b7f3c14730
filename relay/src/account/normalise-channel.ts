import { type ControllerState, modesOf, onoffOf } from "@mulkko/shared/entities/controller-state";
import type { Modes } from "@mulkko/shared/entities/modes";
import type { OutChannel } from "@mulkko/shared/mqtt/out-messages";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { DeviceLink } from "@mulkko/shared/rules/quality";
import { apiInstant } from "../upstream/api-instant.ts";
import type { ChannelReport } from "./channel-report.ts";

/** A channel's report, with the state of its controller. */
export interface ChannelState {
  readonly report: ChannelReport;
  /** Null if the source does not report modes. */
  readonly modes: Modes | null;
  /** %; undefined if the report does not carry it. */
  readonly moisture: number | null | undefined;
  readonly rssi: number | null;
  readonly fwversion: string | null;
  readonly link: DeviceLink | null;
  /** `valve`: the valve limits every opening itself; null if the source does not report it. */
  readonly limit: "valve" | "none" | null;
}

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
      runUntil: apiInstant(state.runUntil, zone),
      activeMode: modes.active,
    },
  };
}

/**
 * Convert the answer of `refresh`. A plain API does not report when the device was last seen.
 *
 * @param askedAt when the request began, ms UTC
 */
export function polledChannel(state: ControllerState, askedAt: number, zone: ApiTimeZone): ChannelState {
  const { common, ...rest } = stateOf(state, zone);
  const at = apiInstant(state.createdDate, zone);
  return { ...rest, moisture: undefined, report: { ...common, at, heardAt: at, via: "poll", askedAt } };
}

/** Convert a message of the API's output topic that arrived at `arrivedAt` (ms UTC). */
export function receivedChannel(message: OutChannel, arrivedAt: number, zone: ApiTimeZone): ChannelState {
  const { common, ...rest } = stateOf(message, zone);
  const at = apiInstant(message.at, zone);
  const heardAt = apiInstant(message.heardAt, zone);
  return {
    ...rest,
    moisture: message.moisture,
    report: { ...common, at, heardAt, via: "mqtt", askedAt: arrivedAt },
  };
}

/** Convert the newest row of a COT log, for units without `refresh`. */
export function loggedChannel(
  row: { createdDate: string; valve: 0 | 1 | 2; moisture: number | null },
  askedAt: number,
  zone: ApiTimeZone,
): ChannelState {
  const at = apiInstant(row.createdDate, zone);
  return {
    report: {
      onoff: row.valve,
      at,
      heardAt: at,
      commandId: null,
      runUntil: null,
      via: "poll",
      askedAt,
      // The log does not contain modes. The valve rules act only on a reported mode (CMD-6, CMD-14).
      activeMode: "none",
    },
    modes: null,
    moisture: row.moisture,
    rssi: null,
    fwversion: null,
    link: null,
    limit: null,
  };
}
