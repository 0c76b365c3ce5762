-- works with 0.1.0
-- Keys that were mailed to an address: they prove that a person reads its mails. A used one has no row; one that has expired has none soon.
create table confirmations (
  -- Only the digest, because a reader of the table could use the key.
  key_hash bytea primary key,
  -- join: makes an account of the address. password: sets a password of the user.
  purpose text not null check (purpose in ('join', 'password')),
  -- Null: the key was mailed to no person.
  address text,
  -- The key of the invitation link through which the person came; null: none.
  link_key text,
  user_id int references users,
  -- Of the password that the user had: with another one the key is worthless. Null: the user had none.
  password_digest bytea,
  expires timestamptz not null
);
create index confirmations_expires on confirmations (expires);
create index confirmations_address on confirmations (lower(address)) where address is not null;
