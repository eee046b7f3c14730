-- The order of arrival: a number that only rises, whatever the clocks say. `latest.arrival` is that of the last live
-- reading, null where only late or imported ones are known.
alter table latest add column arrival bigint;
alter table channel_state add column arrival bigint not null default 0;
alter table device_link add column said_arrival bigint;
alter table device_link add column received_arrival bigint;

-- Numbers are microseconds of the clock where it does not go back, so earlier rows are numbered by their times.
update latest set arrival = (extract(epoch from received_at) * 1000000)::bigint;
update channel_state set arrival = (extract(epoch from heard_at) * 1000000)::bigint;
update device_link set said_arrival = (extract(epoch from said_at) * 1000000)::bigint,
  received_arrival = (extract(epoch from heard_at) * 1000000)::bigint;

-- A retained report without a time of its own shows a state of unknown time, and no contact.
alter table channel_state alter column at drop not null;
alter table channel_state alter column heard_at drop not null;

-- Since when the device's clock is known to be wrong: the row's time is its arrival.
alter table reading add column clock_wrong_since timestamptz;
alter table latest add column clock_wrong_since timestamptz;
alter table channel_state add column clock_wrong_since timestamptz;
alter table cot_log add column clock_wrong_since timestamptz;

-- Devices whose clock is wrong now, and by how much where that is constant (arrival minus stated time, ms).
create table device_clock (
  device_id uuid primary key references device on delete cascade,
  wrong_since timestamptz not null,
  offset_ms bigint
)
