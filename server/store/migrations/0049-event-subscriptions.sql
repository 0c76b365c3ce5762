-- works with 0.1.0
-- Addresses to which events of bots are sent (docs/protocol/event-subscriptions.md).
create table event_subscriptions (
  id int primary key generated always as identity,
  user_id int not null references users (id),
  url text not null,
  event_types text[] not null,
  -- The key of the signatures.
  secret bytea not null,
  -- All events up to this id are delivered, or known to be lost.
  position bigint not null,
  is_active boolean not null default true,
  -- Rises with each change by its owner: a delivery that began before does not move the position.
  version int not null default 1,
  -- The queue from which events are delivered now.
  queue_id text,
  failing_since timestamptz,
  failures int not null default 0,
  -- Why the last attempt has failed.
  failure text,
  created timestamptz not null default now()
);
create index event_subscriptions_user on event_subscriptions (user_id);
