-- works with 0.1.0
-- Archives of other chat servers that administrators have uploaded to import them. Workers of earlier releases do not read the table.
create table import_requests (
  id int primary key generated always as identity,
  requester_id int not null references users,
  requested timestamptz not null,
  -- Of the file, as its uploader named it, and its bytes.
  name text not null,
  size bigint not null check (size >= 0),
  -- Of the archive in the store of files; null: it is removed, because the import has finished.
  key text unique,
  state text not null default 'checking' check (state in ('checking', 'ready', 'running', 'finished', 'failed')),
  -- Why it has failed, for people; '' for a failure of the server.
  reason text,
  -- What the check has found; null until then.
  plan jsonb,
  -- SHA-256 of the archive, which leads to its row in `imports`; null until the check has ended.
  digest text,
  -- What people chose from the plan: accounts, names of channels, channels to leave out.
  choices jsonb,
  ended timestamptz
);
create index import_requests_open on import_requests (state, id);
