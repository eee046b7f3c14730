import type {
  AutomaticCommand,
  ModeCommand,
  PeriodCommand,
  ReservationCommand,
} from "@mulkko/shared/mqtt/device-messages";
import { type Action, decide } from "../watering-engine/decide.ts";
import { modesReport } from "../watering-engine/report.ts";
import { type EngineSettings, NO_SETTINGS } from "../watering-engine/settings.ts";
import { type Ending, type EngineState, ended, type Moment, newState } from "../watering-engine/state.ts";

/** What a controller is told of a channel's watering modes. */
export type ModesCommand =
  | { readonly kind: "automatic"; readonly command: AutomaticCommand }
  | { readonly kind: "reservation"; readonly command: ReservationCommand }
  | { readonly kind: "period"; readonly command: PeriodCommand }
  | { readonly kind: "mode"; readonly command: ModeCommand };

/** How one channel of a virtual controller waters by itself. */
export interface ChannelModes {
  readonly settings: EngineSettings;
  readonly engine: EngineState;
  /** Whether it was told anything since power-up. */
  readonly told: boolean;
  /** When the engine wants to be asked next, on the clock that never jumps, ms. */
  readonly nextLookAt: number;
}

/** A channel after power-up: it waters nothing by itself until it is told. */
export const untoldModes = (moment: Moment, hasMoisture: boolean): ChannelModes => ({
  settings: { ...NO_SETTINGS, hasMoisture },
  engine: newState(moment),
  told: false,
  nextLookAt: moment.monotonic,
});

function settingsAfter(settings: EngineSettings, told: ModesCommand): EngineSettings {
  switch (told.kind) {
    case "automatic":
      return { ...settings, automatic: told.command.setting };
    case "period":
      return { ...settings, period: told.command.setting };
    case "reservation": {
      const { setting } = told.command;
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
      const { active, revision = 0 } = told.command;
      // Said again by an API that has not heard yet that the mode's one run is done.
      if (revision > 0 && revision === settings.revision) return settings;
      return { ...settings, active, revision };
    }
  }
}

/** The channel after it was told something. Hearing the same twice changes nothing. */
export const told = (modes: ChannelModes, command: ModesCommand, moment: Moment): ChannelModes => ({
  ...modes,
  settings: settingsAfter(modes.settings, command),
  told: true,
  nextLookAt: moment.monotonic,
});

const withCleared = (modes: ChannelModes, { state, clears }: Ending): ChannelModes => ({
  ...modes,
  engine: state,
  settings: clears ? { ...modes.settings, active: "none" } : modes.settings,
});

/** Asks the engine, where it is time. @param moisture %, null where nothing fresh is known */
export function look(
  modes: ChannelModes,
  moisture: number | null,
  moment: Moment,
): { readonly modes: ChannelModes; readonly action: Action } {
  const isDue = moment.monotonic >= modes.nextLookAt || modes.settings.active === "automatic";
  if (!modes.told || !isDue) return { modes, action: { kind: "nothing" } };
  const decision = decide(modes.settings, modes.engine, moisture, moment);
  const { action, nextLookAt } = decision;
  return { modes: { ...withCleared(modes, decision), nextLookAt }, action };
}

/** The channel after a person took its valve over: the run under way, if any, is over. */
export const takenOver = (modes: ChannelModes, moment: Moment): ChannelModes =>
  withCleared(modes, ended(modes.settings, modes.engine, moment));

/** What a channel reports of its modes; nothing before it was told anything. */
export const reportOfModes = ({
  settings,
  told: isTold,
}: ChannelModes): Record<string, string | number | null> => (isTold ? modesReport(settings) : {});
