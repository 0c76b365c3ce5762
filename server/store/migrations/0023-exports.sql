-- works with 0.1.0
-- Exports that administrators have requested. A row stays: lists show those that were deleted or that failed, and all of a week count.
create table exports (
  id int primary key generated always as identity,
  kind text not null check (kind in ('public', 'full_with_consent', 'full_without_consent')),
  requester_id int not null references users,
  requested timestamptz not null,
  state text not null default 'pending' check (state in ('pending', 'ready', 'failed', 'deleted')),
  -- When it became ready, and when it failed or was deleted.
  finished timestamptz,
  ended timestamptz,
  -- Secret part of the address of the archive.
  token text not null unique check (token ~ '^[A-Za-z0-9_-]{32}$'),
  -- People whose private data it contains, as they had agreed at the request; null: of all accounts.
  consenting int[],
  -- It contains messages with ids above `since`, up to `cut`. `cut` is null until a worker begins.
  since bigint not null default 0,
  cut bigint,
  percent smallint not null default 0 check (percent between 0 and 100)
);
create index exports_requested on exports (requested);
create index exports_open on exports (state, id) where state in ('pending', 'ready');

-- The archive is the concatenation of its parts in the order of their numbers: each is `head`, then the bytes of a file in the store of files.
create table export_parts (
  export_id int not null references exports on delete cascade,
  number int not null,
  head bytea not null,
  -- Null: the part has no file.
  key text unique,
  size bigint not null check (size >= 0),
  -- Where the next part begins.
  next jsonb not null,
  primary key (export_id, number)
);
