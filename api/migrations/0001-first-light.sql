-- Times are UTC instants. Columns of readings carry the catalogue's field names, so that a field is spelt the
-- same way everywhere; a test holds both together.

create table setting (
  key text primary key,
  value text not null
);

create table account (
  id uuid primary key,
  username text not null unique,
  password_hash text not null,
  nickname text not null default '',
  user_address text not null default '',
  farm_address text not null default '',
  phone text not null default '',
  timezone text not null default 'Asia/Seoul',
  language text not null default 'KO' check (language in ('KO', 'EN', 'ZH')),
  email_notification boolean not null default false,
  image_path text,
  user_type text not null check (user_type in ('ADMIN', 'USER')),
  disabled boolean not null default false,
  created_at timestamptz not null
);

-- One signed-in device of a user. Its refresh tokens are a chain; `generation` counts their rotations.
create table session (
  id uuid primary key,
  account_id uuid not null references account on delete cascade,
  generation int not null default 0,
  created_at timestamptz not null,
  revoked_at timestamptz
);
create index session_account on session (account_id);

create table refresh_token (
  hash bytea primary key,
  session_id uuid not null references session on delete cascade,
  generation int not null,
  expires_at timestamptz not null,
  rotated_at timestamptz
);
create index refresh_token_session on refresh_token (session_id);

create table cluster (
  id int generated always as identity primary key,
  account_id uuid not null references account on delete cascade,
  name text not null,
  description text not null default '',
  unique (account_id, name)
);

-- Everything with a serial: the serial is unique over sensors and controllers.
create table device (
  id uuid primary key,
  serial bigint not null unique,
  kind text not null check (kind in ('sensor', 'controller')),
  account_id uuid not null references account on delete cascade,
  key_hash bytea not null,
  created_at timestamptz not null
);
create index device_account on device (account_id);

create table sensor (
  id uuid primary key references device on delete cascade,
  name text not null default '',
  device_type text not null,
  description text not null default '',
  crops text not null default '',
  latitude double precision not null default 0,
  longitude double precision not null default 0,
  widget boolean not null default false,
  cluster_id int references cluster on delete set null,
  ch_nums int not null default 0,
  image_path text
);
create index sensor_cluster on sensor (cluster_id);

create table controller (
  id uuid primary key references device on delete cascade,
  name text not null default '',
  description text not null default '',
  type text not null check (type in ('CON04V', 'CON04E', 'CON01W'))
);

create table channel (
  id int generated always as identity primary key,
  controller_id uuid not null references controller on delete cascade,
  number smallint not null check (number between 1 and 8),
  unique (controller_id, number)
);

create table channel_sensor (
  channel_id int not null references channel on delete cascade,
  sensor_id uuid not null references sensor on delete cascade,
  primary key (channel_id, sensor_id)
);
create index channel_sensor_sensor on channel_sensor (sensor_id);

create table watering_trigger (
  id int generated always as identity primary key,
  channel_id int not null unique references channel on delete cascade,
  lower_bound double precision,
  upper_bound double precision,
  watering_duration int not null
);

create table watering_reservation (
  id int generated always as identity primary key,
  channel_id int not null unique references channel on delete cascade,
  watering_duration int not null,
  on_time text,
  repeat boolean not null default false
);

create table watering_period (
  id int generated always as identity primary key,
  channel_id int not null unique references channel on delete cascade,
  watering_duration int not null,
  watering_interval int,
  repeat boolean not null default false
);

-- The last report of each channel of a controller or of a sensor of type COT. `report` holds the settings of the
-- watering modes as the device sent them.
create table channel_state (
  device_id uuid not null references device on delete cascade,
  number smallint not null check (number between 1 and 8),
  onoff smallint not null,
  moisture double precision,
  run_until timestamptz,
  command_id text,
  fwversion text,
  rssi double precision,
  report jsonb not null default '{}',
  at timestamptz not null,
  heard_at timestamptz not null,
  primary key (device_id, number)
) with (fillfactor = 50);

-- The state of each device's connection, by its own message or its last will, and the time of its last other message.
create table device_link (
  device_id uuid primary key references device on delete cascade,
  online boolean,
  said_at timestamptz,
  heard_at timestamptz
) with (fillfactor = 50);

create table cot_log (
  device_id uuid not null references device on delete cascade,
  number smallint not null,
  at timestamptz not null,
  valve smallint not null,
  moisture double precision,
  primary key (device_id, number, at)
);

create table reading (
  sensor_id uuid not null references sensor on delete cascade,
  at timestamptz not null,
  received_at timestamptz not null,
  fwversion text,
  rssi double precision,
  "soilTemperature" double precision,
  "temperature" double precision,
  "moisture" double precision,
  "humidity" double precision,
  "battery" double precision,
  "ec" double precision,
  "ph" double precision,
  "n" double precision,
  "p" double precision,
  "k" double precision,
  "co2" double precision,
  "pressure" double precision,
  "press" double precision,
  "solar" double precision,
  "td" double precision,
  "vpd" double precision,
  "windD" double precision,
  "windS" double precision,
  "rain" double precision,
  "illuminance" double precision,
  "stress" double precision,
  "flowmeter" double precision,
  "speed" double precision,
  "pumpopencount" double precision,
  "gdo" double precision,
  "waterlevel" double precision,
  "acceleration" double precision,
  "gyroActivity" double precision,
  "altitude" double precision,
  "lux" double precision,
  "t15" double precision,
  "t30" double precision,
  "m15" double precision,
  "m30" double precision,
  "rh" double precision,
  "l" double precision,
  "valve" double precision,
  primary key (sensor_id, at)
);

-- The newest reading of each sensor. No index but the key: each reading changes every other column.
create table latest (
  sensor_id uuid primary key references sensor on delete cascade,
  at timestamptz not null,
  received_at timestamptz not null,
  fwversion text,
  rssi double precision,
  "soilTemperature" double precision,
  "temperature" double precision,
  "moisture" double precision,
  "humidity" double precision,
  "battery" double precision,
  "ec" double precision,
  "ph" double precision,
  "n" double precision,
  "p" double precision,
  "k" double precision,
  "co2" double precision,
  "pressure" double precision,
  "press" double precision,
  "solar" double precision,
  "td" double precision,
  "vpd" double precision,
  "windD" double precision,
  "windS" double precision,
  "rain" double precision,
  "illuminance" double precision,
  "stress" double precision,
  "flowmeter" double precision,
  "speed" double precision,
  "pumpopencount" double precision,
  "gdo" double precision,
  "waterlevel" double precision,
  "acceleration" double precision,
  "gyroActivity" double precision,
  "altitude" double precision,
  "lux" double precision,
  "t15" double precision,
  "t30" double precision,
  "m15" double precision,
  "m30" double precision,
  "rh" double precision,
  "l" double precision,
  "valve" double precision
) with (fillfactor = 50);

create table dead_letter (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  topic text not null,
  serial text,
  reason text not null,
  field text,
  payload text not null
);

-- Keys of commands, so that each is executed once.
create table command (
  account_id uuid not null references account on delete cascade,
  key text not null,
  content text not null,
  created_at timestamptz not null,
  primary key (account_id, key)
);
create index command_created on command (created_at);

create table notification (
  id int generated always as identity primary key,
  account_id uuid not null references account on delete cascade,
  type text not null check (type in ('BATTERY', 'RSSI', 'DEVICE')),
  message text not null,
  unread boolean not null default true,
  created_at timestamptz not null
);
create index notification_account on notification (account_id, created_at desc)
