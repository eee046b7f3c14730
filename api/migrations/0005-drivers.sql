-- The driver of a controller's valves, and their name on the broker: native controllers use their serial, others a
-- topic of their own.
alter table controller add column driver text not null default 'native'
  check (driver in ('native', 'shelly-gen2', 'tasmota'));
alter table controller add column address text check (length(address) between 1 and 128);
alter table controller add constraint controller_address_of_driver check (driver = 'native' or address is not null);
-- The first level of a topic belongs to one controller alone.
create unique index controller_address on controller (lower(split_part(address, '/', 1)));

-- Counts how often a mode was put in charge, so that a controller can report which one of them it has finished.
alter table channel add column mode_revision int not null default 0;

-- The watering engine's state of a channel whose valve it turns itself.
create table soft_channel (
  channel_id int primary key references channel on delete cascade,
  state jsonb not null
)
