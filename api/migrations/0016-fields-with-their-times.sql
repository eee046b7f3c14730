-- The time at which each value of the newest reading was measured, ms since 1970 UTC by field: a message that lacks a field leaves
-- its last value, with its time.
alter table latest add column field_at jsonb not null default '{}';

update latest set field_at = (
  select coalesce(jsonb_object_agg(key, round(extract(epoch from latest.at) * 1000)), '{}')
  from jsonb_each(to_jsonb(latest) - '{sensor_id,at,received_at,fwversion,rssi,field_at}'::text[])
  where jsonb_typeof(value) = 'number'
);
