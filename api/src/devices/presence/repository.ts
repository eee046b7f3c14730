import { BEAT_SLOTS, beatSlot } from "@mulkko/shared/rest/fleet";
import type { FleetDevice } from "@mulkko/shared/rest/sensor";
import type { Database, Queryable } from "../../database/database.ts";
import { arrayLiteral } from "../../database/packed-rows.ts";
import { beatsText, type Flip, flipOf, type Presence } from "./presence.ts";

interface FlipColumns {
  online: boolean | null;
  flipped_at: number | null;
  flipped_last: number | null;
}

interface PresenceRow extends FlipColumns {
  id: string;
  slot: number | null;
  beats: string | null;
  heard_at: number;
  silent_since: number | null;
}

const bitsOf = (text: string | null): bigint => (text === null ? 0n : BigInt(`0b${text}`));

const storedFlip = ({ online, flipped_at, flipped_last }: FlipColumns): Flip | null =>
  online === null || flipped_at === null ? null : { at: flipped_at, online, last: flipped_last };

/**
 * Read the presence of every device that has sent a message. The open alert supplies a device without a row,
 * or one that fell silent just before the process ended.
 */
export async function readPresences(database: Queryable): Promise<Map<string, Presence>> {
  const rows = await database.query<PresenceRow>(
    `select * from (
       select device.id, presence.online, flipped_at, flipped_last, slot, beats::text as beats,
         greatest(least(latest.at, latest.received_at), device_link.heard_at) as heard_at,
         (select began_at from alert_episode where device_id = device.id and type = 'DEVICE') as silent_since
       from device
       left join device_presence presence on presence.device_id = device.id
       left join latest on latest.sensor_id = device.id
       left join device_link on device_link.device_id = device.id
     ) known where heard_at is not null`,
  );
  return new Map(
    rows.map((row) => {
      const { id, silent_since, heard_at: heardAt } = row;
      const beats = { slot: row.slot ?? beatSlot(heardAt), beats: bitsOf(row.beats) };
      const isUnwritten = silent_since !== null && row.online !== false;
      if (isUnwritten) {
        return [
          id,
          { ...beats, heardAt, online: false, flip: { at: silent_since, online: false, last: heardAt } },
        ];
      }
      return [id, { ...beats, heardAt, online: row.online ?? true, flip: storedFlip(row) }];
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
    `insert into device_presence (device_id, online, flipped_at, flipped_last, slot, beats)
     select id, online, flipped_at, flipped_last, slot, beats from unnest(
       $1::uuid[], $2::boolean[], $3::timestamptz[], $4::timestamptz[], $5::int[], $6::bit(${BEAT_SLOTS})[]
     ) as known (id, online, flipped_at, flipped_last, slot, beats) join device using (id)
     on conflict (device_id) do update set online = excluded.online, flipped_at = excluded.flipped_at,
       flipped_last = excluded.flipped_last, slot = excluded.slot, beats = excluded.beats`,
    [
      arrayLiteral([...presences.keys()]),
      arrayLiteral(all.map(({ online }) => String(online))),
      arrayLiteral(all.map(({ flip }) => time(flip?.at ?? null))),
      arrayLiteral(all.map(({ flip }) => time(flip?.last ?? null))),
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
}

/** Return `flip` and `beats` of these devices for the fleet's list. @param now ms since 1970 UTC */
export async function readShownPresences(
  database: Queryable,
  ids: readonly string[],
  now: number,
): Promise<Map<string, Pick<FleetDevice, "flip" | "beats">>> {
  const [slots, rows] = await Promise.all([
    database.query<{ slot: number }>("select slot from listened_slot"),
    database.query<ShownRow>(
      `select id, created_at, online, flipped_at, flipped_last, slot, beats::text as beats
       from device left join device_presence on device_id = id where id = any($1::uuid[])`,
      [ids],
    ),
  ]);
  const listened = new Set(slots.map(({ slot }) => slot));
  return new Map(
    rows.map((row) => {
      const flip = storedFlip(row);
      const history = { slot: row.slot ?? beatSlot(now), beats: bitsOf(row.beats) };
      const beats = beatsText(history, now, { since: beatSlot(row.created_at), listened });
      return [row.id, { flip: flip && flipOf(flip), beats }];
    }),
  );
}
