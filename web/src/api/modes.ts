import {
  modeEnable,
  periodAdd,
  periodRead,
  periodUpdate,
  reservationAdd,
  reservationRead,
  reservationUpdate,
  triggerAdd,
  triggerRead,
  triggerUpdate,
} from "@mulkko/shared/rest/operations/controllers";
import { callOf } from "@mulkko/shared/rest/operations/operation";
import type { PeriodBody, ReservationBody, TriggerBody } from "@mulkko/shared/rest/watering";
import type { ActiveMode } from "@mulkko/shared/rules/valve";
import { Id } from "@mulkko/shared/schema/id";
import { parse } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import type { PressTime as Pressed } from "../live/hooks.ts";
import { type Id as ChannelId, type RestClient, send } from "./client.ts";
import { type CommandOptions, callOptions, pressHeaders } from "./commands.ts";
import { ApiError } from "./errors.ts";

/** A mode with settings. */
export type Mode = Exclude<ActiveMode, "none">;

/** A mode's setting as sent. */
export type ModeSetting =
  | { readonly mode: "automatic"; readonly body: TriggerBody }
  | { readonly mode: "reservation"; readonly body: ReservationBody }
  | { readonly mode: "period"; readonly body: PeriodBody };

const CALLS = {
  automatic: { read: triggerRead, add: triggerAdd, update: triggerUpdate },
  reservation: { read: reservationRead, add: reservationAdd, update: reservationUpdate },
  period: { read: periodRead, add: periodAdd, update: periodUpdate },
} as const;

const WithId = Type.Object({ id: Id });

const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** Fetch the id of a mode's setting; null if the channel has none, in whatever way the API says so. */
async function settingId(rest: RestClient, channelId: ChannelId, mode: Mode) {
  try {
    const answer = await rest.call({ ...callOf(CALLS[mode].read, { channelId }), answer: Type.Unknown() });
    const found = parse(WithId, answer);
    return found.ok ? found.value.id : null;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/**
 * Save a mode's setting: create it if missing, else change it by its id. The id is queried at this moment, as
 * a reset on another screen deletes it. If it disappears between query and change, it is queried once more.
 *
 * Without `active: false` in the body, and on every API without the extension `mode-enable`, this puts the
 * mode in charge of the channel.
 *
 * @param pressed time of the press: a setting that may open water at once is refused when late (CMD-16)
 */
export async function saveSetting(
  rest: RestClient,
  channelId: ChannelId,
  { mode, body }: ModeSetting,
  pressed: Pressed | null,
): Promise<void> {
  const headers = body.active === false ? {} : pressHeaders(pressed);
  const write = (id: ChannelId | null) =>
    id === null
      ? send(rest, { ...callOf(CALLS[mode].add, { channelId }), body, headers })
      : send(rest, { ...callOf(CALLS[mode].update, { channelId, id }), body, headers });
  const id = await settingId(rest, channelId, mode);
  try {
    await write(id);
  } catch (error) {
    if (id === null || !isNotFound(error)) throw error;
    await write(await settingId(rest, channelId, mode));
  }
}

/** Put a mode in charge of a channel (extension `mode-enable`). A mode without a setting is 422. */
export function putInCharge(rest: RestClient, channelId: ChannelId, active: Mode, pressed: Pressed | null) {
  return send(rest, {
    ...callOf(modeEnable, { channelId }),
    body: { active },
    headers: pressHeaders(pressed),
  });
}

/** Put no mode in charge of a channel in place of this one; another mode stays (extension `mode-enable`). */
export function endMode(rest: RestClient, channelId: ChannelId, mode: Mode, options: CommandOptions = {}) {
  return send(rest, {
    ...callOf(modeEnable, { channelId }),
    body: { active: "none", insteadOf: mode },
    ...callOptions(options),
  });
}
