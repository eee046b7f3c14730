import {
  AccountSettings,
  AccountSettingsBody,
  ChannelSettingsBody,
  ControllerSettingsBody,
} from "@mulkko/shared/rest/settings";
import { type Static, Type } from "typebox";
import { ANSWER_WITHIN_MS, type MethodsOf, type OwnerCalls } from "../runtime/owner-call.ts";

/** A change of an account's settings: the account's own, or those of one controller or channel. */
const SettingsChange = Type.Union([
  Type.Object({ about: Type.Literal("account"), ...AccountSettingsBody.properties }),
  Type.Object({ about: Type.Literal("controller"), id: Type.String(), ...ControllerSettingsBody.properties }),
  Type.Object({ about: Type.Literal("channel"), id: Type.String(), ...ChannelSettingsBody.properties }),
]);
export type SettingsChange = Static<typeof SettingsChange>;

/** Reason why a change is refused; `unknown`: the account has no such channel or controller. */
const Refusal = Type.Union([
  Type.Literal("unknown"),
  Type.Literal("above-cap"),
  Type.Literal("no-flow-meter"),
  Type.Literal("own-sensor"),
  Type.Literal("too-many"),
]);
export type SettingsRefusal = Static<typeof Refusal>;

const Answer = Type.Union([
  Type.Object({ ok: Type.Literal(true), settings: AccountSettings }),
  Type.Object({ ok: Type.Literal(false), why: Refusal }),
]);
export type SettingsAnswer = Static<typeof Answer>;

/** An account's settings; changes take effect at once. */
export const SETTINGS_CALLS = {
  get: {
    wire: "read-settings",
    request: Type.Object({}),
    reply: AccountSettings,
    withinMs: ANSWER_WITHIN_MS,
  },
  /** Rejects with a `StoreUnavailableError` when the change could not be stored; nothing has changed then. */
  change: {
    wire: "change-settings",
    request: Type.Object({ change: SettingsChange }),
    reply: Answer,
    withinMs: ANSWER_WITHIN_MS,
  },
} as const satisfies OwnerCalls;

export type SettingsService = MethodsOf<typeof SETTINGS_CALLS>;
