-- The last time that something ended the access of tokens of an account, which the relay asks about every five seconds.
-- No foreign key: the row of a purged account does no harm, and a lock on the account could close a circle of locks.
create table access_change (
  account_id uuid not null,
  entity text not null check (entity in ('account', 'password')),
  at timestamptz not null,
  primary key (account_id, entity)
);
create index access_change_at on access_change (at);
