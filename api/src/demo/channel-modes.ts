import type {
  AutomaticCommand,
  ModeCommand,
  PeriodCommand,
  ReservationCommand,
} from "@mulkko/shared/mqtt/device-messages";
import { type Action, decide } from "../valves/modes/decide.ts";
import { modesReport } from "../valves/modes/engine-report.ts";
import { type EngineSettings, NO_SETTINGS } from "../valves/modes/engine-settings.ts";
import { type Ending, type EngineState, ended, type Moment, newState } from "../valves/modes/engine-state.ts";

/** A command about a channel's watering modes. */
export type ModesCommand =
  | { readonly kind: "automatic"; readonly command: AutomaticCommand }
  | { readonly kind: "reservation"; readonly command: ReservationCommand }
  | { readonly kind: "period"; readonly command: PeriodCommand }
  | { readonly kind: "mode"; readonly command: ModeCommand };

/** State of the watering modes of one channel of a virtual controller. */
export interface ChannelModes {
  readonly settings: EngineSettings;
  readonly engine: EngineState;
  /** True once a command arrived since power-up. */
  readonly isConfigured: boolean;
  /** Time of the engine's next evaluation on the monotonic clock, ms. */
  readonly nextLookAt: number;
}

/** Return the state after power-up: a channel does not water by itself until it receives settings. */
export const unconfiguredModes = (moment: Moment, hasMoisture: boolean): ChannelModes => ({
  settings: { ...NO_SETTINGS, hasMoisture },
  engine: newState(moment),
  isConfigured: false,
  nextLookAt: moment.monotonic,
});

function settingsAfter(settings: EngineSettings, received: ModesCommand): EngineSettings {
  switch (received.kind) {
    case "automatic":
      return { ...settings, automatic: received.command.setting };
    case "period":
      return { ...settings, period: received.command.setting };
    case "reservation": {
      const { setting } = received.command;
      return {
        ...settings,
        reservation: setting && {
          onTime: setting.onTime,
          wateringDuration: setting.wateringDuration,
          repeat: setting.repeat,
        },
        timezone: setting?.timezone ?? settings.timezone,
      };
    }
    case "mode": {
      const { active, revision = 0 } = received.command;
      // Repeated by an API that does not know yet that the mode's single run is done.
      if (revision > 0 && revision === settings.revision) return settings;
      return { ...settings, active, revision };
    }
  }
}

/** Return the state after a command. A repeated command changes nothing. */
export const afterCommand = (modes: ChannelModes, command: ModesCommand, moment: Moment): ChannelModes => ({
  ...modes,
  settings: settingsAfter(modes.settings, command),
  isConfigured: true,
  nextLookAt: moment.monotonic,
});

const withCleared = (modes: ChannelModes, { state, clears }: Ending): ChannelModes => ({
  ...modes,
  engine: state,
  settings: clears ? { ...modes.settings, active: "none" } : modes.settings,
});

/** Run the engine if it is due. @param moisture %, null where no recent value is known */
export function look(
  modes: ChannelModes,
  moisture: number | null,
  moment: Moment,
): { readonly modes: ChannelModes; readonly action: Action } {
  const isDue = moment.monotonic >= modes.nextLookAt || modes.settings.active === "automatic";
  if (!modes.isConfigured || !isDue) return { modes, action: { kind: "nothing" } };
  const decision = decide(modes.settings, modes.engine, moisture, moment);
  const { action, nextLookAt } = decision;
  return { modes: { ...withCleared(modes, decision), nextLookAt }, action };
}

/** Return the state after a manual command: any run in progress is over. */
export const takenOver = (modes: ChannelModes, moment: Moment): ChannelModes =>
  withCleared(modes, ended(modes.settings, modes.engine, moment));

/** Report the modes of a channel; nothing before its first settings. */
export const reportOfModes = ({
  settings,
  engine,
  isConfigured,
}: ChannelModes): Record<string, string | number | null> =>
  // Nothing sets the clock of a virtual controller: its period counts from what it has noted.
  isConfigured ? modesReport(settings, engine, engine.countsFrom) : {};
