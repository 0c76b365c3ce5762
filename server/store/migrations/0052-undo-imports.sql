-- works with 0.1.0
-- Rows of the directory that were deleted, for workers which remember them: those of earlier releases keep them until they end.
create table directory_removals (
  kind text not null check (kind in ('user', 'channel', 'group', 'emoji')),
  id int not null,
  -- Of the organization.
  version bigint not null,
  removed timestamptz not null default now(),
  primary key (kind, id)
);
create index directory_removals_version on directory_removals (version);

-- An import can be undone while people work.
alter table imports drop constraint imports_state_check;
alter table imports add constraint imports_state_check check (state in ('people', 'messages', 'channels', 'finished', 'undoing'));
alter table import_requests drop constraint import_requests_state_check;
alter table import_requests add constraint import_requests_state_check
  check (state in ('checking', 'ready', 'running', 'finished', 'failed', 'undoing', 'undone'));
-- What was taken away, and what stays.
alter table import_requests add column undone jsonb;
