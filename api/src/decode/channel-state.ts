import { onoffOf } from "@mulkko/shared/entities/controller-state";
import { ChannelStateMessage } from "@mulkko/shared/mqtt/device-messages";
import type { RejectReason } from "@mulkko/shared/rest/dead-letter";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { ValveCode } from "@mulkko/shared/rules/valve";
import { parse } from "@mulkko/shared/schema/parse";
import { cleanText, readFields, readJsonObject } from "./fields.ts";
import { type StatedEnd, type StatedTime, statedEnd, statedTime, type ZonelessForm } from "./message-time.ts";
import { MAX_FWVERSION, signalOf } from "./native.ts";

const MAX_COMMAND_ID = 64;

/** Settings of the watering modes that a controller may report. */
const MODE_KEYS = [
  "automatic",
  "automaticHighMoisture",
  "automaticLowMoisture",
  "automaticWatering",
  "period",
  "periodRepeat",
  "periodTime",
  "periodFrom",
  "periodWatering",
  "reservation",
  "reservationRepeat",
  "reservationTime",
  "reservationWatering",
  "modeRevision",
  "incomplete",
  "limit",
] as const;

/** A mode's reported settings. */
export type ModeReport = Readonly<Partial<Record<(typeof MODE_KEYS)[number], string | number | boolean>>>;

/** Content of a channel's report. Times are ms since 1970 UTC. */
export interface ChannelContent {
  readonly onoff: ValveCode;
  /** %, where the device measures it itself. */
  readonly moisture: number | null;
  readonly runUntil: number | null;
  readonly commandId: string | null;
  readonly fwversion: string | null;
  readonly rssi: number | null;
  readonly modes: ModeReport;
}

/** A report with the times that its device states. */
export interface DecodedState {
  readonly ok: true;
  readonly time: StatedTime;
  /** The end of the run by the device's clock; null: none. */
  readonly end: StatedEnd | null;
  readonly content: Omit<ChannelContent, "runUntil">;
}

type Decoding =
  | DecodedState
  | { readonly ok: false; readonly reason: RejectReason; readonly field: string | null };

/** Decode `mulkko/{serial}/ch/{n}/state`. @param receivedAt ms since 1970 UTC; @param form of earlier times without a zone */
export function decodeChannelState(
  payload: Uint8Array,
  receivedAt: number,
  zone: ApiTimeZone,
  form: ZonelessForm | null = null,
): Decoding {
  const read = readJsonObject(payload);
  if (!read.ok) return { ok: false, reason: read.reason, field: null };
  const time = statedTime(read.object.at, receivedAt, zone, form);
  const parsed = parse(ChannelStateMessage, {
    ...read.object,
    at: undefined,
    runUntil: undefined,
    moisture: undefined,
    rssi: signalOf(read.object.rssi),
  });
  if (!parsed.ok) return { ok: false, reason: "wrong-type", field: parsed.path.slice(1) };
  const message = parsed.value;
  const modes: Record<string, string | number | boolean> = {};
  for (const key of MODE_KEYS) {
    const value = message[key];
    if (value === undefined || value === null) continue;
    modes[key] = typeof value === "string" ? cleanText(value, 32) : value;
  }
  const { fwversion, commandId } = message;
  return {
    ok: true,
    time,
    end: statedEnd(read.object.runUntil, { raw: read.object.at, time }, receivedAt, zone),
    content: {
      onoff: onoffOf(message),
      moisture: readFields("COT", { moisture: read.object.moisture }).fields.moisture ?? null,
      commandId: commandId ? cleanText(commandId, MAX_COMMAND_ID) : null,
      fwversion: fwversion === undefined || fwversion === null ? null : cleanText(fwversion, MAX_FWVERSION),
      rssi: message.rssi ?? null,
      modes,
    },
  };
}
