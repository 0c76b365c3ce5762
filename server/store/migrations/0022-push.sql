-- works with 0.1.0
-- Notifications by Web Push. Workers of earlier releases send none.
-- The key pair by which push services recognize this server (VAPID), made when it is first needed.
create table push_server_key (
  is_only boolean primary key default true check (is_only),
  -- P-256: the point without compression, and the scalar.
  public_key bytea not null,
  private_key bytea not null
);
-- A browser or a program that receives pushes for an account.
create table push_devices (
  id int primary key generated always as identity,
  user_id int not null references users on delete cascade,
  -- It ends with the session that added it; null: a program with an API key did.
  session_id int references sessions on delete cascade,
  endpoint text not null unique,
  -- The keys of the receiver (RFC 8291).
  p256dh bytea not null,
  auth bytea not null,
  name text not null,
  created timestamptz not null default now(),
  -- Since when all pushes to it have failed.
  failing_since timestamptz
);
create index push_devices_user on push_devices (user_id);
create index push_devices_session on push_devices (session_id);
-- Messages of which devices of the account may show a notification: reading one withdraws it.
create table pushed_messages (
  user_id int not null references users on delete cascade,
  message_id bigint not null,
  pushed timestamptz not null default now(),
  primary key (user_id, message_id)
);
create index pushed_messages_pushed on pushed_messages (pushed);
