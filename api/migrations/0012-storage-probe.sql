-- One row that is written every few seconds: a database that answers may still refuse rows.
create table storage_probe (
  id int primary key default 1 check (id = 1),
  at timestamptz not null
) with (fillfactor = 10)
