import { CommandRecord, type PressBody } from "@mulkko/shared/rest/command";
import { apiPath, relayPath } from "@mulkko/shared/rest/routes";
import type { ValveTarget } from "@mulkko/shared/rules/valve";
import type { RestClient } from "./client.ts";

/** A press on a valve. `form` is `sensor` for a COT sensor, whose channels have the older call. */
export interface ValvePress {
  /** Made by {@link newCommandId}; the same press sent twice is executed once (CMD-7). */
  readonly commandId: string;
  readonly form: "controller" | "sensor";
  readonly controllerId: string | number;
  /** Channel number, 1 to 8. */
  readonly number: number;
  readonly target: ValveTarget;
  /** Run time of an opening, s (RUN-1); null for a closing. */
  readonly runSeconds: number | null;
  /** When it was pressed, ms UTC on the server's clock, and how far that may be ahead; null: not known (CMD-10). */
  readonly pressed: { readonly at: number; readonly withinMs: number } | null;
}

/**
 * A version 4 UUID. Not `crypto.randomUUID`, which is missing on a page that came over plain HTTP, as in a farm's
 * own network.
 */
export function newCommandId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, index) => {
    const marked = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, "0");
  }).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function bodyOf({ form, controllerId, number, target, runSeconds, pressed }: ValvePress): PressBody {
  return {
    uuid: controllerId,
    command: "onoff",
    deviceType: form === "controller" ? "controller" : "COT",
    channel: number,
    payload: target,
    ...(runSeconds === null ? {} : { maxRunSeconds: runSeconds }),
    ...(pressed === null
      ? {}
      : { pressedAt: new Date(pressed.at).toISOString(), pressedWithinMs: pressed.withinMs }),
  };
}

/** @returns how far the relay got with it within 5 s; the rest comes over the live streams */
export function pressValve(rest: RestClient, press: ValvePress): Promise<CommandRecord> {
  return rest.call({
    method: "POST",
    path: press.form === "controller" ? apiPath.command : apiPath.legacyCommand,
    answer: CommandRecord,
    body: bodyOf(press),
    headers: { "Idempotency-Key": press.commandId },
  });
}

/**
 * Takes an opening back whose answer never came (CMD-12): refused if it arrives later, closed if it was carried out.
 *
 * @returns what became of the opening
 */
export function withdrawOpening(rest: RestClient, press: ValvePress): Promise<CommandRecord> {
  return rest.call({
    method: "POST",
    path: relayPath.withdrawCommand(press.commandId),
    answer: CommandRecord,
    body: bodyOf(press),
  });
}
