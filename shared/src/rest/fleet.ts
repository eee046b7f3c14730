import { type Static, Type } from "typebox";
import { Instant } from "../schema/instant.ts";
import { TextRecord } from "../schema/text-record.ts";

/** Slots of a heartbeat bar: 48 h by half-hours. */
export const BEAT_SLOTS = 96;
export const BEAT_SLOT_MS = 30 * 60_000;
/** Devices that may be asked for at once. */
export const MAX_BEAT_IDS = 500;

/** The beats of a device up to a half-hour: a character each, the oldest first; `1` heard, `0` silent, `-` not known. */
export const KeptBeats = Type.Object({
  /** Number of the last half-hour since 1970 UTC. */
  slot: Type.Integer({ minimum: 0 }),
  text: Type.String({ minLength: BEAT_SLOTS, maxLength: BEAT_SLOTS, pattern: "^[01-]*$" }),
});
export type KeptBeats = Static<typeof KeptBeats>;

/** The half-hour of an instant (ms UTC), counted since 1970 UTC. */
export const beatSlot = (at: number): number => Math.floor(at / BEAT_SLOT_MS);

/** Query of `GET /relay/fleet/beats`: a comma list of what follows `device:` in the keys of the `fleet` stream. */
export const BeatsQuery = Type.Object({ ids: Type.String({ minLength: 1, maxLength: 65_536 }) });

/**
 * The heartbeats of devices: per device a character a slot, the oldest first: `1` heard, `0` silent, `-` nobody
 * looked. Devices that are not known are left out.
 */
export const Beats = Type.Object({
  /** Begin of the first slot. */
  from: Instant,
  slotMs: Type.Integer(),
  beats: TextRecord(Type.String({ minLength: BEAT_SLOTS, maxLength: BEAT_SLOTS })),
});
export type Beats = Static<typeof Beats>;
