-- The device of a message: its owner reads the message, which is deleted with the device.
alter table dead_letter add column device_id uuid references device on delete cascade;
create index dead_letter_device on dead_letter (device_id, id) where device_id is not null;
