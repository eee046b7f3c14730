-- A deleted account waits in the trash, with everything it owns, until it is restored or purged.
alter table account add column deleted_at timestamptz;
create index account_deleted on account (deleted_at) where deleted_at is not null;
