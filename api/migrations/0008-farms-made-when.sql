-- The time at which a farm was created; null for those that are older than this column.
alter table cluster add column created_at timestamptz;
alter table cluster alter column created_at set default now();
