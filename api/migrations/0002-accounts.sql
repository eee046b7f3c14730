-- Actions on accounts: mail, recovery, contact, uploads, and the changes made by administrators.

alter table session add column used_at timestamptz;
alter table session add column user_agent text not null default '';

create index account_address on account (lower(user_address));

alter table controller add column image_path text;

-- A lost password: the hash of a token that was mailed. It is deleted when it is used.
create table recovery (
  hash bytea primary key,
  account_id uuid not null references account on delete cascade,
  expires_at timestamptz not null
);
create index recovery_account on recovery (account_id);

-- Mail on its way. Without a mail server it stays here for the administrator (`kept`).
create table outbox (
  id int generated always as identity primary key,
  account_id uuid references account on delete cascade,
  recipient text not null,
  subject text not null,
  body text not null,
  state text not null check (state in ('waiting', 'sent', 'failed', 'kept')),
  attempts int not null default 0,
  next_at timestamptz,
  error text,
  created_at timestamptz not null
);
create index outbox_waiting on outbox (next_at) where state = 'waiting';

create table contact (
  id int generated always as identity primary key,
  account_id uuid not null references account on delete cascade,
  name text not null,
  title text not null,
  message text not null,
  created_at timestamptz not null
);
create index contact_created on contact (created_at);

-- The changes made by administrators. Names are kept beside ids: both the actor and the subject may be gone.
create table audit (
  id int generated always as identity primary key,
  actor_id uuid,
  actor_name text not null,
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  subject_name text not null,
  before jsonb,
  after jsonb,
  created_at timestamptz not null
);
create index audit_created on audit (created_at)
