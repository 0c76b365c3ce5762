-- works with 0.1.0
-- Provisioning of people and groups by a directory (SCIM). Workers of 0.1.0 know none of it.
create table scim_tokens (
  id int primary key generated always as identity,
  -- What the operator calls it.
  name text not null unique,
  -- SHA-256 of the token.
  token_hash bytea not null unique,
  -- Whether the directory may make owners, and change those that there are.
  may_change_owners boolean not null,
  created timestamptz not null default now(),
  -- Some minutes old at most; null: never.
  last_used timestamptz
);

-- What a directory calls a person.
create table provisioned_users (
  user_id int primary key references users on delete cascade,
  user_name text not null,
  external_id text,
  -- The directory has deleted the person: as long as the account is deactivated, the directory does not see it.
  is_removed boolean not null default false
);
create unique index provisioned_users_name on provisioned_users (lower(user_name));
create index provisioned_users_external on provisioned_users (external_id);

-- What a directory calls a group.
create table provisioned_groups (
  group_id int primary key references user_groups on delete cascade,
  external_id text
);
