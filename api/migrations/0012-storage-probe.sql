-- One row that is written every few seconds: that a database answers does not say that it takes rows.
create table storage_probe (
  id int primary key default 1 check (id = 1),
  at timestamptz not null
) with (fillfactor = 10)
