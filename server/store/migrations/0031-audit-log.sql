-- Who changed what of the organization, and what was tried against it. Nothing refers to accounts: a row outlives them.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  -- Null: the server itself, its operator, or somebody who did not say who he is.
  actor_id integer,
  -- Operation of the API, or what else acted.
  operation text not null,
  request_id text not null default '',
  address text not null default '',
  -- Name of the event that told of the change.
  event text not null,
  subject jsonb not null,
  before jsonb,
  after jsonb
);
create index audit_log_at on audit_log (at);
create index audit_log_actor on audit_log (actor_id, id);
