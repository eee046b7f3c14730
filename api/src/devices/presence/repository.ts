import { BEAT_SLOTS, beatSlot } from "@mulkko/shared/rest/fleet";
import type { FleetDevice } from "@mulkko/shared/rest/sensor";
import type { Flip } from "@mulkko/shared/rules/presence";
import { FORWARDED_AFTER_MS } from "@mulkko/shared/rules/quality";
import type { Database, Queryable } from "../../database/database.ts";
import { arrayLiteral } from "../../database/packed-rows.ts";
import { beatsText, flipOf, type Presence } from "./presence.ts";

interface FlipColumns {
  online: boolean | null;
  flipped_at: number | null;
  flipped_last: number | null;
}

interface PresenceRow extends FlipColumns {
  id: string;
  back_at: number | null;
  slot: number | null;
  beats: string | null;
  heard_at: number;
}

/**
 * SQL: time of a device's last contact by its stored messages, null without any (`contactTime`). The
 * statement joins `latest` and `device_link` of the device.
 */
export const CONTACT_AT = `greatest(
  case when latest.received_at - latest.at > interval '${FORWARDED_AFTER_MS / 1_000} seconds'
    then latest.at else latest.received_at end, device_link.heard_at)`;

const bitsOf = (text: string | null): bigint => (text === null ? 0n : BigInt(`0b${text}`));

const storedFlip = ({ online, flipped_at, flipped_last }: FlipColumns): Flip | null =>
  online === null || flipped_at === null ? null : { at: flipped_at, online, last: flipped_last };

/** Read the presence of every device that has sent a message. A device without a row counts as online. */
export async function readPresences(database: Queryable): Promise<Map<string, Presence>> {
  const rows = await database.query<PresenceRow>(
    `select * from (
       select device.id, presence.online, flipped_at, flipped_last, back_at, slot, beats::text as beats,
         ${CONTACT_AT} as heard_at
       from device
       left join device_presence presence on presence.device_id = device.id
       left join latest on latest.sensor_id = device.id
       left join device_link on device_link.device_id = device.id
     ) known where heard_at is not null`,
  );
  return new Map(
    rows.map((row) => {
      const { id, heard_at: heardAt } = row;
      const beats = { slot: row.slot ?? beatSlot(heardAt), beats: bitsOf(row.beats) };
      const { back_at: backAt } = row;
      return [id, { ...beats, heardAt, backAt, online: row.online ?? true, flip: storedFlip(row) }];
    }),
  );
}

const time = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** Store the presence of these devices; skip those deleted meanwhile. */
export async function storePresences(
  database: Queryable,
  presences: ReadonlyMap<string, Presence>,
): Promise<void> {
  const all = [...presences.values()];
  await database.query(
    `insert into device_presence (device_id, online, flipped_at, flipped_last, back_at, slot, beats)
     select id, online, flipped_at, flipped_last, back_at, slot, beats from unnest(
       $1::uuid[], $2::boolean[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[], $6::int[],
       $7::bit(${BEAT_SLOTS})[]
     ) as known (id, online, flipped_at, flipped_last, back_at, slot, beats) join device using (id)
     on conflict (device_id) do update set online = excluded.online, flipped_at = excluded.flipped_at,
       flipped_last = excluded.flipped_last, back_at = excluded.back_at, slot = excluded.slot,
       beats = excluded.beats`,
    [
      arrayLiteral([...presences.keys()]),
      arrayLiteral(all.map(({ online }) => String(online))),
      arrayLiteral(all.map(({ flip }) => time(flip?.at ?? null))),
      arrayLiteral(all.map(({ flip }) => time(flip?.last ?? null))),
      arrayLiteral(all.map(({ backAt }) => time(backAt))),
      arrayLiteral(all.map(({ slot }) => slot)),
      arrayLiteral(all.map(({ beats }) => beats.toString(2).padStart(BEAT_SLOTS, "0"))),
    ],
  );
}

/** Record that messages could be received in this half-hour, and delete records older than two days. */
export async function noteListening(database: Database, slot: number): Promise<void> {
  await database.query("insert into listened_slot values ($1) on conflict do nothing", [slot]);
  await database.query("delete from listened_slot where slot <= $1", [slot - BEAT_SLOTS]);
}

interface ShownRow extends FlipColumns {
  id: string;
  created_at: number;
  slot: number | null;
  beats: string | null;
  heard_at: number | null;
}

/** Return the last contact, `flip` and `beats` of these devices for the fleet's list. @param now ms since 1970 UTC */
export async function readShownPresences(
  database: Queryable,
  ids: readonly string[],
  now: number,
): Promise<Map<string, Pick<FleetDevice, "heardAt" | "flip" | "beats">>> {
  const [slots, rows] = await Promise.all([
    database.query<{ slot: number }>("select slot from listened_slot"),
    database.query<ShownRow>(
      `select device.id, device.created_at, presence.online, flipped_at, flipped_last, slot, beats::text as beats,
         ${CONTACT_AT} as heard_at
       from device
       left join device_presence presence on presence.device_id = device.id
       left join latest on latest.sensor_id = device.id
       left join device_link on device_link.device_id = device.id
       where device.id = any($1::uuid[])`,
      [ids],
    ),
  ]);
  const listened = new Set(slots.map(({ slot }) => slot));
  return new Map(
    rows.map((row) => {
      const flip = storedFlip(row);
      const history = { slot: row.slot ?? beatSlot(now), beats: bitsOf(row.beats) };
      const beats = beatsText(history, now, { since: beatSlot(row.created_at), listened });
      const heardAt = row.heard_at === null ? null : new Date(row.heard_at).toISOString();
      return [row.id, { heardAt, flip: flip && flipOf(flip), beats }];
    }),
  );
}
