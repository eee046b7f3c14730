import { type Static, Type } from "typebox";
import { MAX_CHANNELS } from "../rules/valve.ts";

const IdText = Type.String({ minLength: 1, maxLength: 128 });
const RunMinutes = Type.Integer({ minimum: 1, maximum: 120 });

/** What an account sets of one controller's (or COT sensor's) runs (RUN-1). */
export const ControllerSettings = Type.Object({
  /** Minutes that no manual opening may exceed; left out: 120, which is also the most. */
  capMinutes: Type.Optional(RunMinutes),
  /** By channel number: minutes of an opening that comes without; left out: 10. */
  defaultMinutes: Type.Optional(
    Type.Record(Type.String({ pattern: `^[1-${MAX_CHANNELS}]$` }), RunMinutes, {
      maxProperties: MAX_CHANNELS,
    }),
  ),
});
export type ControllerSettings = Static<typeof ControllerSettings>;

/** What the relay keeps for an account; body and answer of `/relay/settings`. */
export const AccountSettings = Type.Object({
  /** RUN-3: the relay closes what somebody opened at the controller, at the hard cap. */
  adoptExternal: Type.Boolean(),
  /** By the controller's id. */
  controllers: Type.Record(IdText, ControllerSettings, { maxProperties: 1_000 }),
  /** WAT-1: by the channel's id, the WATERFLOW sensor whose litres are its own. */
  flowMeters: Type.Record(IdText, IdText, { maxProperties: 4_000 }),
});
export type AccountSettings = Static<typeof AccountSettings>;

/** What holds where nobody has set anything. */
export const DEFAULT_SETTINGS: AccountSettings = { adoptExternal: false, controllers: {}, flowMeters: {} };
