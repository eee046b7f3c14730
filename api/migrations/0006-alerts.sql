-- The present faults of devices, one row each, from the notification until the recovery: a restart notifies of
-- nothing twice.
create table alert_episode (
  device_id uuid not null references device on delete cascade,
  type text not null check (type in ('BATTERY', 'RSSI', 'DEVICE')),
  began_at timestamptz not null,
  primary key (device_id, type)
);

-- Notifications that are still to be mailed, several of an account together.
create table alert_mail (
  notification_id int primary key references notification on delete cascade,
  account_id uuid not null references account on delete cascade,
  waits_since timestamptz not null
);
create index alert_mail_account on alert_mail (account_id, waits_since)
