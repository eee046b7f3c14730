-- One account a name, whatever the case of its letters. Where several exist already they all stay, and the oldest
-- holds the name: the others have no key until they are renamed.
alter table account add column name_key text unique;
update account set name_key = lower(username) where id in
  (select distinct on (lower(username)) id from account order by lower(username), created_at, id);

-- Sign-ins, right and wrong. A name that no account has is not kept: it may be a password in the wrong field.
create table sign_in (
  id int generated always as identity primary key,
  account_id uuid references account on delete set null,
  username text not null,
  outcome text not null check (outcome in ('signed-in', 'wrong-password', 'unknown-name', 'disabled')),
  attempts int not null default 1,
  address text not null,
  user_agent text not null,
  created_at timestamptz not null
);
create index sign_in_created on sign_in (created_at);
