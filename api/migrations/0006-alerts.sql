-- What is wrong with a device now, one row for each thing, from the notification until it is well again: a restart
-- tells nothing twice.
create table alert_episode (
  device_id uuid not null references device on delete cascade,
  type text not null check (type in ('BATTERY', 'RSSI', 'DEVICE')),
  began_at timestamptz not null,
  primary key (device_id, type)
);

-- Notifications that have yet to go out by mail, several of an account together.
create table alert_mail (
  notification_id int primary key references notification on delete cascade,
  account_id uuid not null references account on delete cascade,
  waits_since timestamptz not null
);
create index alert_mail_account on alert_mail (account_id, waits_since)
