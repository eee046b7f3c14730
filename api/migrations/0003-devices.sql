-- The name of a device at a network server (a DevEUI or device id), and the decoder of its messages.
alter table device add column external_id text check (length(external_id) between 1 and 64);
alter table device add column profile text check (length(profile) between 1 and 64);
create unique index device_external_id on device (lower(external_id));

-- A controller's own farm; without one it belongs to the farms of its channels' sensors.
alter table controller add column cluster_id int references cluster on delete set null;
create index controller_cluster on controller (cluster_id);

-- The watering mode in charge: one column, so that two never are.
alter table channel add column mode text not null default 'none'
  check (mode in ('none', 'automatic', 'reservation', 'period'));

-- A sensor of type COT gets the row of a channel when a mode is first set on it.
alter table channel drop constraint channel_controller_id_fkey;
alter table channel add foreign key (controller_id) references device on delete cascade;

-- The older commands set one value at a time: a mode without its watering time is kept, and does not run.
alter table watering_trigger alter column watering_duration drop not null;
alter table watering_reservation alter column watering_duration drop not null;
alter table watering_period alter column watering_duration drop not null
