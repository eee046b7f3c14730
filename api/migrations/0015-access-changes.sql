-- The last time that tokens of an account lost their access; the relay polls it every five seconds.
-- No foreign key: the row of a purged account does no harm, and a lock on the account could close a circle of locks.
create table access_change (
  account_id uuid not null,
  entity text not null check (entity in ('account', 'password')),
  at timestamptz not null,
  primary key (account_id, entity)
);
create index access_change_at on access_change (at);
