import type { Queryable } from "../../database/database.ts";

/** Queries of the settings of the three watering modes; durations and intervals are minutes. */
const SETTINGS = {
  trigger: `select id, lower_bound as "lowerBound", upper_bound as "upperBound",
      watering_duration as "wateringDuration" from watering_trigger where channel_id = $1`,
  reservation: `select id, watering_duration as "wateringDuration", on_time as "onTime", repeat
    from watering_reservation where channel_id = $1`,
  period: `select id, watering_duration as "wateringDuration", watering_interval as "wateringInterval", repeat
    from watering_period where channel_id = $1`,
} as const;

export type SettingName = keyof typeof SETTINGS;

/** Return a channel's setting of one mode, or null where there is none. */
export async function readSetting(
  database: Queryable,
  name: SettingName,
  channelId: number,
): Promise<object | null> {
  const [row] = await database.query<object>(SETTINGS[name], [channelId]);
  return row ?? null;
}
