-- When each device went offline or came back last, and in which half-hours of two days it was heard, whoever looks.
create table device_presence (
  device_id uuid primary key references device on delete cascade,
  online boolean not null,
  -- Null where it never changed since it was first heard.
  flipped_at timestamptz,
  -- When it had been heard before that.
  flipped_last timestamptz,
  -- The half-hour since 1970 UTC that the last bit stands for.
  slot int not null,
  beats bit(96) not null
) with (fillfactor = 50);

-- Half-hours in which this API could hear its devices.
create table listened_slot (slot int primary key)
