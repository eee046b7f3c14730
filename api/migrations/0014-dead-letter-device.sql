-- Whose message it was: its owner reads it, and it goes with the device.
alter table dead_letter add column device_id uuid references device on delete cascade;
create index dead_letter_device on dead_letter (device_id, id) where device_id is not null;
