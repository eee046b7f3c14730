-- The last change of each device between online and offline, and the half-hours of two days in which it reported.
create table device_presence (
  device_id uuid primary key references device on delete cascade,
  online boolean not null,
  -- Null where it never changed since its first report.
  flipped_at timestamptz,
  -- The time of the last report before that change.
  flipped_last timestamptz,
  -- The half-hour of the last bit, counted since 1970 UTC.
  slot int not null,
  beats bit(96) not null
) with (fillfactor = 50);

-- Half-hours in which this API could receive from its devices.
create table listened_slot (slot int primary key)
