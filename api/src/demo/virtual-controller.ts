import { DEFAULT_RUN_SECONDS, LONGEST_RUN_SECONDS, VALVE_OFF, VALVE_ON } from "@mulkko/shared/rules/valve";
import type { Moment } from "../valves/modes/engine-state.ts";
import { type Soak, turned, type Wetness } from "./wetness.ts";

/** Time a valve takes to turn. */
export const TURN_MS = 1_400;
/** Command ids that a channel remembers, so that a repeated command does not open twice. */
const REMEMBERED_COMMANDS = 64;

/** Longest run of a watering mode, whatever its setting. */
const MAX_MODE_RUN_MS = 24 * 3_600_000;

/**
 * State of a valve. All times but `runUntil` are on the monotonic clock, so that no clock change holds it
 * open.
 */
type Valve =
  | { readonly phase: "closed" }
  | {
      readonly phase: "opening";
      readonly turnedAt: number;
      readonly closesAt: number;
      readonly runUntil: number;
      /** Null where a watering mode opens. */
      readonly commandId: string | null;
    }
  | { readonly phase: "open"; readonly closesAt: number; readonly runUntil: number }
  | { readonly phase: "closing"; readonly turnedAt: number; readonly commandId: string | null };

/** One channel of a virtual controller. */
export interface ChannelModel {
  readonly valve: Valve;
  /** The last command that the valve obeyed. */
  readonly commandId: string | null;
  readonly executed: readonly string[];
  readonly wetness: Wetness;
}

/** The open command of `cmd/onoff`. */
interface OpenCommand {
  readonly state: 1;
  readonly commandId: string;
  /** Wall time in ms after which the command expires. */
  readonly expiresAt: number;
  /** Null where the command has no limit. */
  readonly maxRunSeconds: number | null;
}

/** The close command of `cmd/onoff`. */
interface CloseCommand {
  readonly state: 2;
  readonly commandId: string | null;
}

export type OnOff = OpenCommand | CloseCommand;

export type ChannelInput =
  | { readonly kind: "onoff"; readonly command: OnOff }
  /** A watering mode opens the valve for a time, ms. */
  | { readonly kind: "run"; readonly forMs: number }
  /** A watering mode closes. */
  | { readonly kind: "stop" }
  | { readonly kind: "tick" };

/** The channel after an input; `changed` if its report differs. */
interface Step {
  readonly channel: ChannelModel;
  readonly report: boolean;
}

/** Return a channel after power-up: closed, dry, and with no remembered commands. */
export function closedChannel(moment: Moment): ChannelModel {
  return {
    valve: { phase: "closed" },
    commandId: null,
    executed: [],
    wetness: { added: 0, since: moment.monotonic, open: false },
  };
}

/**
 * Return the valve code that a channel reports. A turning valve shows its previous state; if reversed while
 * turning, it has that state at once.
 */
export function reportedValve(valve: Valve): 1 | 2 {
  switch (valve.phase) {
    case "closed":
    case "opening":
      return VALVE_OFF;
    case "open":
    case "closing":
      return VALVE_ON;
  }
}

function remembered(channel: ChannelModel, commandId: string | null): readonly string[] {
  if (commandId === null) return channel.executed;
  return [...channel.executed, commandId].slice(-REMEMBERED_COMMANDS);
}

function open(channel: ChannelModel, command: OpenCommand, moment: Moment): Step {
  if (moment.now > command.expiresAt || channel.executed.includes(command.commandId)) {
    return { channel, report: false };
  }
  const runMs = Math.min(command.maxRunSeconds ?? DEFAULT_RUN_SECONDS, LONGEST_RUN_SECONDS) * 1_000;
  const executed = remembered(channel, command.commandId);
  return run({ ...channel, executed }, runMs, command.commandId, moment);
}

function run(channel: ChannelModel, runMs: number, commandId: string | null, moment: Moment): Step {
  const end = { closesAt: moment.monotonic + runMs, runUntil: moment.now + runMs };
  if (reportedValve(channel.valve) === VALVE_ON) {
    return { channel: { ...channel, valve: { phase: "open", ...end }, commandId }, report: true };
  }
  const turnedAt = moment.monotonic + TURN_MS;
  return {
    channel: { ...channel, valve: { phase: "opening", turnedAt, ...end, commandId } },
    report: false,
  };
}

function close(channel: ChannelModel, command: CloseCommand, moment: Moment): Step {
  const { commandId } = command;
  const executed = remembered(channel, commandId);
  if (reportedValve(channel.valve) === VALVE_OFF) {
    return {
      channel: {
        ...channel,
        executed,
        commandId: commandId ?? channel.commandId,
        valve: { phase: "closed" },
      },
      report: true,
    };
  }
  const turnedAt = channel.valve.phase === "closing" ? channel.valve.turnedAt : moment.monotonic + TURN_MS;
  return {
    channel: { ...channel, executed, valve: { phase: "closing", turnedAt, commandId } },
    report: false,
  };
}

function tick(soak: Soak, channel: ChannelModel, moment: Moment): Step {
  const { valve } = channel;
  switch (valve.phase) {
    case "closed":
      return { channel, report: false };
    case "opening": {
      if (moment.monotonic < valve.turnedAt) return { channel, report: false };
      const { closesAt, runUntil, commandId } = valve;
      return {
        channel: {
          ...channel,
          valve: { phase: "open", closesAt, runUntil },
          commandId,
          wetness: turned(soak, channel.wetness, true, moment.monotonic),
        },
        report: true,
      };
    }
    case "open": {
      if (moment.monotonic < valve.closesAt) return { channel, report: false };
      const turnedAt = moment.monotonic + TURN_MS;
      return {
        channel: { ...channel, valve: { phase: "closing", turnedAt, commandId: null } },
        report: false,
      };
    }
    case "closing": {
      if (moment.monotonic < valve.turnedAt) return { channel, report: false };
      return {
        channel: {
          ...channel,
          valve: { phase: "closed" },
          commandId: valve.commandId ?? channel.commandId,
          wetness: turned(soak, channel.wetness, false, moment.monotonic),
        },
        report: true,
      };
    }
  }
}

/**
 * Apply a command or the passing of time to a channel. An open is ignored after its `expiresAt` or when its
 * command was executed before. It never runs longer than a day. A close is always obeyed. The valve closes by
 * itself at the end of its run.
 */
export function step(soak: Soak, channel: ChannelModel, input: ChannelInput, moment: Moment): Step {
  switch (input.kind) {
    case "tick":
      return tick(soak, channel, moment);
    case "run":
      return run(channel, Math.min(input.forMs, MAX_MODE_RUN_MS), null, moment);
    case "stop":
      return close(channel, { state: VALVE_OFF, commandId: null }, moment);
    case "onoff":
      return input.command.state === VALVE_ON
        ? open(channel, input.command, moment)
        : close(channel, input.command, moment);
  }
}
