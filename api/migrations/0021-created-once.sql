-- Answers to calls that create something, by the caller's Idempotency-Key, for a day. The answer is encrypted with
-- that key, which is not stored: it may contain a device key.
-- No foreign key: the row of a purged account does no harm, and no later row depends on it.
create table created_once (
  digest text primary key,
  content text not null,
  answer text,
  at timestamptz not null
);
create index created_once_at on created_once (at);
