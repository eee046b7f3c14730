-- The commands of every account with their actor and outcome; names as they were at the command.
create table command_log (
  id int generated always as identity primary key,
  actor_id uuid,
  actor_name text not null,
  by_relay boolean not null,
  account_id uuid,
  account_name text not null,
  device_id uuid not null,
  device_name text not null,
  number smallint not null,
  command text not null,
  payload text not null,
  command_id text not null,
  -- The reason why it was not sent; null where the broker accepted it.
  refused text,
  -- The time at which the device reported it.
  confirmed_at timestamptz,
  created_at timestamptz not null
);
create index command_log_created on command_log (created_at);
create index command_log_command on command_log (command_id);
