import { NOTIFICATION_TYPES, type NotificationType } from "@mulkko/shared/entities/notification";
import { GAPS_REMEMBERED } from "@mulkko/shared/rules/quality";
import type { Queryable } from "../../database/database.ts";
import { CONTACT_AT } from "../../devices/presence/repository.ts";
import { type ConditionState, NEVER_SEEN, withOpen } from "./conditions.ts";

interface StateRow {
  id: string;
  heard_at: number | null;
  evaluated_at: number | null;
  open: string | null;
}

/** Read the stored state of every device that has sent a message. */
export async function readStates(database: Queryable): Promise<Map<string, ConditionState>> {
  const rows = await database.query<StateRow>(
    `select device.id, ${CONTACT_AT} as heard_at,
       coalesce(latest.at, (select max(at) from channel_state where device_id = device.id)) as evaluated_at,
       (select string_agg(type, ' ') from alert_episode where device_id = device.id) as open
     from device
     left join latest on latest.sensor_id = device.id
     left join device_link on device_link.device_id = device.id
     where latest.sensor_id is not null or device_link.heard_at is not null`,
  );
  return new Map(
    rows.map(({ id, heard_at, evaluated_at, open }) => {
      const types = new Set(open?.split(" "));
      const contact = {
        ...NEVER_SEEN,
        heardAt: heard_at,
        evaluatedAt: evaluated_at ?? NEVER_SEEN.evaluatedAt,
      };
      return [
        id,
        NOTIFICATION_TYPES.reduce<ConditionState>(
          (state, type) => withOpen(state, type, types.has(type)),
          contact,
        ),
      ];
    }),
  );
}

/** A device and the account to notify. */
export interface Subject {
  readonly accountId: string;
  /** The device's name, or its serial where it has none. */
  readonly name: string;
  readonly language: string;
  readonly timezone: string;
  readonly wantsMail: boolean;
}

interface SubjectRow {
  account_id: string;
  name: string;
  language: string;
  timezone: string;
  email_notification: boolean;
}

/**
 * Open an condition. @returns the account to notify; null where the condition is open already or the device is
 * deleted
 */
export async function beginCondition(
  tx: Queryable,
  deviceId: string,
  type: NotificationType,
  at: number,
): Promise<Subject | null> {
  const [row] = await tx.query<SubjectRow>(
    `with begun as (
       insert into alert_episode (device_id, type, began_at) select id, $2, $3 from device where id = $1
       on conflict do nothing returning device_id
     )
     select account_id, coalesce(nullif(sensor.name, ''), nullif(controller.name, ''), serial::text) as name,
       language, timezone, email_notification
     from begun
     join device on device.id = begun.device_id
     join account on account.id = account_id
     left join sensor on sensor.id = device.id
     left join controller on controller.id = device.id`,
    [deviceId, type, new Date(at)],
  );
  if (!row) return null;
  const { account_id: accountId, email_notification: wantsMail, name, language, timezone } = row;
  return { accountId, name, language, timezone, wantsMail };
}

export async function endCondition(
  database: Queryable,
  deviceId: string,
  type: NotificationType,
): Promise<void> {
  await database.query("delete from alert_episode where device_id = $1 and type = $2", [deviceId, type]);
}

/** Time range in which the usual interval is determined, ms. */
const USUAL_WITHIN_MS = 30 * 86_400_000;

/**
 * Return recent measurement times by sensor, newest first, ms since 1970 UTC. A sensor without readings has
 * no entry.
 *
 * @param now ms since 1970 UTC
 */
export async function readRecentTimes(
  database: Queryable,
  sensorIds: readonly string[],
  now: number,
): Promise<Map<string, number[]>> {
  const rows = await database.query<{ id: string; at: number }>(
    `select wanted.id, recent.at from unnest($1::uuid[]) as wanted (id)
     cross join lateral (
       select at from reading where sensor_id = wanted.id and at >= $2 order by at desc limit $3
     ) recent order by wanted.id, recent.at desc`,
    [sensorIds, new Date(now - USUAL_WITHIN_MS), GAPS_REMEMBERED + 1],
  );
  const times = new Map<string, number[]>();
  for (const { id, at } of rows) times.set(id, [...(times.get(id) ?? []), at]);
  return times;
}

/** Most notifications kept per account; the list shows fewer. */
const MAX_KEPT = 1_000;

/** Delete the oldest notifications of accounts over the limit. */
export async function sweepNotifications(database: Queryable): Promise<void> {
  await database.query(
    `delete from notification where id in (
       select id from (
         select id, row_number() over (partition by account_id order by created_at desc, id desc) as place
         from notification
       ) placed where place > $1
     )`,
    [MAX_KEPT],
  );
}
