-- The contact after the last gap of an hour or more between two contacts; null: there was none since this version.
alter table device_presence add column back_at timestamptz;
