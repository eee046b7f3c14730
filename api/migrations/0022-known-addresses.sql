-- Sign-ins of one account, newest first: an attempt from a known address is not delayed by others' failures.
create index sign_in_account on sign_in (account_id, id desc);
