import { type ControllerState, modesOf, onoffOf } from "@mulkko/shared/entities/controller-state";
import type { Modes } from "@mulkko/shared/entities/modes";
import type { OutChannel } from "@mulkko/shared/mqtt/out-messages";
import type { DeviceLink } from "@mulkko/shared/rules/quality";
import { type ApiClock, comingTime, newestTime, type TimeContext } from "@mulkko/shared/rules/zoneless-time";
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
  /** True for a report of before the connection was last lost: the valve may have been turned since (LINK-3). */
  readonly isBeforeLoss: boolean;
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

/** @param at time of the report, ms UTC; null if it states none */
function stateOf(
  state: ControllerState,
  at: number | null,
  { zone, now }: ApiClock,
): Omit<ChannelState, "report" | "moisture"> & {
  common: Pick<ChannelReport, "onoff" | "commandId" | "runUntil" | "activeMode" | "arrival" | "isLost">;
} {
  const modes = modesOf(state);
  const firmware = state.fwversion;
  return {
    modes,
    rssi: state.rssi ?? null,
    fwversion: firmware === null || firmware === undefined ? null : String(firmware),
    link: state.link ?? null,
    isBeforeLoss: state.beforeLoss === true,
    limit: state.limit ?? null,
    clockWrongSince: newestTime(state.clockWrongSince, zone, { now: now() }),
    common: {
      arrival: state.arrival ?? null,
      onoff: onoffOf(state),
      commandId: state.commandId ?? null,
      runUntil: comingTime(state.runUntil, zone, at),
      activeMode: modes.active,
      isLost: state.link === "lost" || state.beforeLoss === true,
    },
  };
}

/**
 * Convert the answer of `refresh`. A plain API does not report when the device was last seen.
 *
 * @param asked when the request began
 * @param arrived when the answer arrived, monotonic ms
 * @param known the channel's state before, whose last report distinguishes the occurrences of a repeated time
 */
export function polledChannel(
  state: ControllerState,
  asked: Asked,
  arrived: number,
  clock: ApiClock,
  known: Omit<TimeContext, "now">,
): ChannelState {
  const at = newestTime(state.createdDate, clock.zone, { ...known, now: clock.now() });
  const { common, ...rest } = stateOf(state, at, clock);
  return { ...rest, moisture: undefined, report: { ...common, at, heardAt: at, ...polled(asked, arrived) } };
}

const polled = (
  asked: Asked,
  arrived: number,
): Pick<ChannelReport, "via" | "isLive" | "askedAt" | "order"> => ({
  via: "poll",
  isLive: false,
  askedAt: asked.at,
  order: { begun: asked.monotonic, arrived },
});

/** Convert a message of the API's output topic. */
export function receivedChannel(message: OutChannel, arrived: Asked, clock: ApiClock): ChannelState {
  const context = { now: clock.now() };
  const at = newestTime(message.at, clock.zone, context);
  const heardAt = newestTime(message.heardAt, clock.zone, context);
  const { common, ...rest } = stateOf(message, at, clock);
  return {
    ...rest,
    moisture: message.moisture,
    report: {
      ...common,
      at,
      heardAt,
      via: "mqtt",
      isLive: message.isLive === true,
      askedAt: arrived.at,
      order: { begun: arrived.monotonic, arrived: arrived.monotonic },
    },
  };
}

/** Convert the newest row of a COT log, written at `at` (ms UTC), for units without `refresh`. */
export function loggedChannel(
  row: { at: number; valve: 0 | 1 | 2; moisture: number | null },
  asked: Asked,
  arrived: number,
): ChannelState {
  return {
    report: {
      onoff: row.valve,
      at: row.at,
      heardAt: row.at,
      commandId: null,
      runUntil: null,
      arrival: null,
      ...polled(asked, arrived),
      // The log does not contain modes. The valve rules act only on a reported mode (CMD-6, CMD-14).
      activeMode: "none",
      isLost: false,
    },
    modes: null,
    moisture: row.moisture,
    rssi: null,
    fwversion: null,
    link: null,
    isBeforeLoss: false,
    limit: null,
    clockWrongSince: null,
  };
}
