-- When a farm was made; null for those that are older than this column.
alter table cluster add column created_at timestamptz;
alter table cluster alter column created_at set default now();
