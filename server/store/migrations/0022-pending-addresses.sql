-- Addresses that users want to have and have not confirmed; one for each user, the newest.
create table pending_addresses (
  user_id int primary key references users,
  address text not null,
  -- SHA-256 of what the mail to that address holds.
  key_hash bytea not null unique,
  expires timestamptz not null
);
