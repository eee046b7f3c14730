import { type Static, Type } from "typebox";
import { Instant } from "../schema/instant.ts";
import { TextRecord } from "../schema/text-record.ts";

/** Slots of a heartbeat bar: 48 h by half-hours. */
export const BEAT_SLOTS = 96;
export const BEAT_SLOT_MS = 30 * 60_000;
/** Maximum number of devices in one request. */
export const MAX_BEAT_IDS = 500;

/**
 * The beats of a device up to a half-hour, one character each, the oldest first: `1` received, `0` silent,
 * `-` unknown.
 */
export const StoredActivity = Type.Object({
  /** Number of the last half-hour since 1970 UTC. */
  slot: Type.Integer({ minimum: 0 }),
  text: Type.String({ minLength: BEAT_SLOTS, maxLength: BEAT_SLOTS, pattern: "^[01-]*$" }),
});
export type StoredActivity = Static<typeof StoredActivity>;

/** The half-hour of an instant (ms UTC), counted since 1970 UTC. */
export const beatSlot = (at: number): number => Math.floor(at / BEAT_SLOT_MS);

/**
 * Query of `GET /relay/fleet/beats`: a comma list of the parts after `device:` in the keys of the `fleet`
 * stream.
 */
export const ActivityQuery = Type.Object({ ids: Type.String({ minLength: 1, maxLength: 65_536 }) });

/**
 * The heartbeats of devices, one character per slot, the oldest first: `1` received, `0` silent, `-` not
 * recorded. Unknown devices are left out.
 */
export const ActivityHistory = Type.Object({
  /** Start of the first slot. */
  from: Instant,
  slotMs: Type.Integer(),
  beats: TextRecord(Type.String({ minLength: BEAT_SLOTS, maxLength: BEAT_SLOTS })),
});
export type ActivityHistory = Static<typeof ActivityHistory>;
