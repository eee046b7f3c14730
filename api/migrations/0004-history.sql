-- Readings by month, so that old ones are dropped with their table, and the rollups of each hour and day.

alter table reading rename to reading_before;
alter table reading_before rename constraint reading_pkey to reading_before_pkey;

-- No foreign key: it would look up the sensor once for every reading. The writer of readings locks the sensor's
-- history_state, and a deleted sensor's readings are deleted with it.
create table reading (
  like reading_before,
  primary key (sensor_id, at)
) partition by range (at);

create function forget_readings() returns trigger language plpgsql as $$
begin
  delete from reading where sensor_id = old.id;
  return null;
end
$$;
create trigger sensor_readings after delete on sensor for each row execute function forget_readings();

-- Create the partition for the readings of a month in UTC. Two calls at once must not create the same one.
create function make_reading_month(instant timestamptz) returns void language plpgsql as $$
declare
  month timestamp := date_trunc('month', instant at time zone 'UTC');
  name text := 'reading_' || to_char(month, 'YYYY_MM');
begin
  perform pg_advisory_xact_lock(20261121);
  if to_regclass(name) is null then
    execute format('create table %I partition of reading for values from (%L) to (%L)',
      name, month at time zone 'UTC', (month + interval '1 month') at time zone 'UTC');
  end if;
end
$$;

do $$
declare
  month timestamptz;
begin
  for month in select distinct date_trunc('month', at at time zone 'UTC') at time zone 'UTC' from reading_before order by 1 loop
    perform make_reading_month(month);
  end loop;
end
$$;
insert into reading select * from reading_before;
drop table reading_before;

-- A row for each hour that has readings: how many (`rows`), and of each field how many had it, their sum, the sum of
-- squared distances from their mean (`spread`), least, greatest, and the one measured last with its time. Cosines
-- and sines of a direction are summed too. Neither table knows a zone: hours and days are those of UTC.
create table reading_hour (
  sensor_id uuid not null references sensor on delete cascade,
  start timestamptz not null,
  rows int not null,
  "soilTemperature_count" int, "soilTemperature_sum" double precision, "soilTemperature_spread" double precision, "soilTemperature_min" double precision,
    "soilTemperature_max" double precision, "soilTemperature_last" double precision, "soilTemperature_last_at" timestamptz,
  "temperature_count" int, "temperature_sum" double precision, "temperature_spread" double precision, "temperature_min" double precision,
    "temperature_max" double precision, "temperature_last" double precision, "temperature_last_at" timestamptz,
  "moisture_count" int, "moisture_sum" double precision, "moisture_spread" double precision, "moisture_min" double precision,
    "moisture_max" double precision, "moisture_last" double precision, "moisture_last_at" timestamptz,
  "humidity_count" int, "humidity_sum" double precision, "humidity_spread" double precision, "humidity_min" double precision,
    "humidity_max" double precision, "humidity_last" double precision, "humidity_last_at" timestamptz,
  "battery_count" int, "battery_sum" double precision, "battery_spread" double precision, "battery_min" double precision,
    "battery_max" double precision, "battery_last" double precision, "battery_last_at" timestamptz,
  "ec_count" int, "ec_sum" double precision, "ec_spread" double precision, "ec_min" double precision,
    "ec_max" double precision, "ec_last" double precision, "ec_last_at" timestamptz,
  "ph_count" int, "ph_sum" double precision, "ph_spread" double precision, "ph_min" double precision,
    "ph_max" double precision, "ph_last" double precision, "ph_last_at" timestamptz,
  "n_count" int, "n_sum" double precision, "n_spread" double precision, "n_min" double precision,
    "n_max" double precision, "n_last" double precision, "n_last_at" timestamptz,
  "p_count" int, "p_sum" double precision, "p_spread" double precision, "p_min" double precision,
    "p_max" double precision, "p_last" double precision, "p_last_at" timestamptz,
  "k_count" int, "k_sum" double precision, "k_spread" double precision, "k_min" double precision,
    "k_max" double precision, "k_last" double precision, "k_last_at" timestamptz,
  "co2_count" int, "co2_sum" double precision, "co2_spread" double precision, "co2_min" double precision,
    "co2_max" double precision, "co2_last" double precision, "co2_last_at" timestamptz,
  "pressure_count" int, "pressure_sum" double precision, "pressure_spread" double precision, "pressure_min" double precision,
    "pressure_max" double precision, "pressure_last" double precision, "pressure_last_at" timestamptz,
  "press_count" int, "press_sum" double precision, "press_spread" double precision, "press_min" double precision,
    "press_max" double precision, "press_last" double precision, "press_last_at" timestamptz,
  "solar_count" int, "solar_sum" double precision, "solar_spread" double precision, "solar_min" double precision,
    "solar_max" double precision, "solar_last" double precision, "solar_last_at" timestamptz,
  "td_count" int, "td_sum" double precision, "td_spread" double precision, "td_min" double precision,
    "td_max" double precision, "td_last" double precision, "td_last_at" timestamptz,
  "vpd_count" int, "vpd_sum" double precision, "vpd_spread" double precision, "vpd_min" double precision,
    "vpd_max" double precision, "vpd_last" double precision, "vpd_last_at" timestamptz,
  "windD_count" int, "windD_sum" double precision, "windD_spread" double precision, "windD_min" double precision,
    "windD_max" double precision, "windD_last" double precision, "windD_last_at" timestamptz, "windD_cos" double precision, "windD_sin" double precision,
  "windS_count" int, "windS_sum" double precision, "windS_spread" double precision, "windS_min" double precision,
    "windS_max" double precision, "windS_last" double precision, "windS_last_at" timestamptz,
  "rain_count" int, "rain_sum" double precision, "rain_spread" double precision, "rain_min" double precision,
    "rain_max" double precision, "rain_last" double precision, "rain_last_at" timestamptz,
  "illuminance_count" int, "illuminance_sum" double precision, "illuminance_spread" double precision, "illuminance_min" double precision,
    "illuminance_max" double precision, "illuminance_last" double precision, "illuminance_last_at" timestamptz,
  "stress_count" int, "stress_sum" double precision, "stress_spread" double precision, "stress_min" double precision,
    "stress_max" double precision, "stress_last" double precision, "stress_last_at" timestamptz,
  "flowmeter_count" int, "flowmeter_sum" double precision, "flowmeter_spread" double precision, "flowmeter_min" double precision,
    "flowmeter_max" double precision, "flowmeter_last" double precision, "flowmeter_last_at" timestamptz,
  "speed_count" int, "speed_sum" double precision, "speed_spread" double precision, "speed_min" double precision,
    "speed_max" double precision, "speed_last" double precision, "speed_last_at" timestamptz,
  "pumpopencount_count" int, "pumpopencount_sum" double precision, "pumpopencount_spread" double precision, "pumpopencount_min" double precision,
    "pumpopencount_max" double precision, "pumpopencount_last" double precision, "pumpopencount_last_at" timestamptz,
  "gdo_count" int, "gdo_sum" double precision, "gdo_spread" double precision, "gdo_min" double precision,
    "gdo_max" double precision, "gdo_last" double precision, "gdo_last_at" timestamptz,
  "waterlevel_count" int, "waterlevel_sum" double precision, "waterlevel_spread" double precision, "waterlevel_min" double precision,
    "waterlevel_max" double precision, "waterlevel_last" double precision, "waterlevel_last_at" timestamptz,
  "acceleration_count" int, "acceleration_sum" double precision, "acceleration_spread" double precision, "acceleration_min" double precision,
    "acceleration_max" double precision, "acceleration_last" double precision, "acceleration_last_at" timestamptz,
  "gyroActivity_count" int, "gyroActivity_sum" double precision, "gyroActivity_spread" double precision, "gyroActivity_min" double precision,
    "gyroActivity_max" double precision, "gyroActivity_last" double precision, "gyroActivity_last_at" timestamptz,
  "altitude_count" int, "altitude_sum" double precision, "altitude_spread" double precision, "altitude_min" double precision,
    "altitude_max" double precision, "altitude_last" double precision, "altitude_last_at" timestamptz,
  "lux_count" int, "lux_sum" double precision, "lux_spread" double precision, "lux_min" double precision,
    "lux_max" double precision, "lux_last" double precision, "lux_last_at" timestamptz,
  "t15_count" int, "t15_sum" double precision, "t15_spread" double precision, "t15_min" double precision,
    "t15_max" double precision, "t15_last" double precision, "t15_last_at" timestamptz,
  "t30_count" int, "t30_sum" double precision, "t30_spread" double precision, "t30_min" double precision,
    "t30_max" double precision, "t30_last" double precision, "t30_last_at" timestamptz,
  "m15_count" int, "m15_sum" double precision, "m15_spread" double precision, "m15_min" double precision,
    "m15_max" double precision, "m15_last" double precision, "m15_last_at" timestamptz,
  "m30_count" int, "m30_sum" double precision, "m30_spread" double precision, "m30_min" double precision,
    "m30_max" double precision, "m30_last" double precision, "m30_last_at" timestamptz,
  "rh_count" int, "rh_sum" double precision, "rh_spread" double precision, "rh_min" double precision,
    "rh_max" double precision, "rh_last" double precision, "rh_last_at" timestamptz,
  "l_count" int, "l_sum" double precision, "l_spread" double precision, "l_min" double precision,
    "l_max" double precision, "l_last" double precision, "l_last_at" timestamptz,
  "valve_count" int, "valve_sum" double precision, "valve_spread" double precision, "valve_min" double precision,
    "valve_max" double precision, "valve_last" double precision, "valve_last_at" timestamptz,
  primary key (sensor_id, start)
) with (fillfactor = 80);

create table reading_day (
  like reading_hour,
  primary key (sensor_id, start),
  foreign key (sensor_id) references sensor on delete cascade
) with (fillfactor = 80);

-- Until when the hours of a sensor are closed: earlier ones have their row above, and a late reading is added to it;
-- later ones have none yet. Days are closed with their last hour.
create table history_state (
  sensor_id uuid primary key references sensor on delete cascade,
  closed_until timestamptz not null
) with (fillfactor = 50);

create function begin_history() returns trigger language plpgsql as $$
begin
  insert into history_state (sensor_id, closed_until) values (new.id, date_trunc('hour', now(), 'UTC'));
  return null;
end
$$;
create trigger sensor_history after insert on sensor for each row execute function begin_history();
insert into history_state (sensor_id, closed_until) select id, date_trunc('hour', now(), 'UTC') from sensor;

-- The rows that were there before are not counted yet: the program does that before it takes new ones.
insert into setting (key, value) values ('history.rollups', 'missing')
