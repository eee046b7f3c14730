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
  /** Since when the device's clock has been wrong, ms UTC; null: it is not known to be (ORD-2). */
  readonly clockWrongSince: number | null;
}

/** The moment of a report: wall time (ms UTC), and the relay's monotonic time. */
export interface Asked {
  readonly at: number;
  readonly monotonic: number;
}

function stateOf(
  state: ControllerState,
  zone: ApiTimeZone,
): Omit<ChannelState, "report" | "moisture"> & {
  common: Pick<ChannelReport, "onoff" | "commandId" | "runUntil" | "activeMode" | "arrival">;
} {
  const modes = modesOf(state);
  const firmware = state.fwversion;
  return {
    modes,
    rssi: state.rssi ?? null,
    fwversion: firmware === null || firmware === undefined ? null : String(firmware),
    link: state.link ?? null,
    limit: state.limit ?? null,
    clockWrongSince: apiInstant(state.clockWrongSince, zone),
    common: {
      arrival: state.arrival ?? null,
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
 * @param asked when the request began
 * @param arrived when the answer arrived, monotonic ms
 */
export function polledChannel(
  state: ControllerState,
  asked: Asked,
  arrived: number,
  zone: ApiTimeZone,
): ChannelState {
  const { common, ...rest } = stateOf(state, zone);
  const at = apiInstant(state.createdDate, zone);
  return { ...rest, moisture: undefined, report: { ...common, at, heardAt: at, ...polled(asked, arrived) } };
}

const polled = (asked: Asked, arrived: number): Pick<ChannelReport, "via" | "askedAt" | "order"> => ({
  via: "poll",
  askedAt: asked.at,
  order: { begun: asked.monotonic, arrived },
});

/** Convert a message of the API's output topic. */
export function receivedChannel(message: OutChannel, arrived: Asked, zone: ApiTimeZone): ChannelState {
  const { common, ...rest } = stateOf(message, zone);
  const at = apiInstant(message.at, zone);
  const heardAt = apiInstant(message.heardAt, zone);
  return {
    ...rest,
    moisture: message.moisture,
    report: {
      ...common,
      at,
      heardAt,
      via: "mqtt",
      askedAt: arrived.at,
      order: { begun: arrived.monotonic, arrived: arrived.monotonic },
    },
  };
}

/** Convert the newest row of a COT log, for units without `refresh`. */
export function loggedChannel(
  row: { createdDate: string; valve: 0 | 1 | 2; moisture: number | null },
  asked: Asked,
  arrived: number,
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
      arrival: null,
      ...polled(asked, arrived),
      // The log does not contain modes. The valve rules act only on a reported mode (CMD-6, CMD-14).
      activeMode: "none",
    },
    modes: null,
    moisture: row.moisture,
    rssi: null,
    fwversion: null,
    link: null,
    limit: null,
    clockWrongSince: null,
  };
}
