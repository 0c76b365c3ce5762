-- works with 0.1.0
-- What an account has to show beside its password. Workers of earlier releases ask for none of it.
create table authenticator_apps (
  user_id int primary key references users on delete cascade,
  -- As it is, because each code is calculated from it.
  secret bytea not null,
  created timestamptz not null default now(),
  -- The period of 30 seconds of the newest code that was accepted: its code and earlier ones are refused from then on.
  last_period bigint not null
);
create table passkeys (
  id int primary key generated always as identity,
  user_id int not null references users on delete cascade,
  credential_id bytea not null unique,
  -- COSE.
  public_key bytea not null,
  -- Signatures, as the authenticator counts them; 0: it does not count.
  counter bigint not null,
  -- How a browser reaches the authenticator, such as `internal` or `usb`.
  transports text[] not null,
  name text not null,
  created timestamptz not null default now(),
  last_used timestamptz
);
create index passkeys_user on passkeys (user_id);
create table recovery_codes (
  user_id int not null references users on delete cascade,
  -- Only the digest, because a reader of the table could use the code. A used one has no row.
  code_hash bytea not null,
  primary key (user_id, code_hash)
);
