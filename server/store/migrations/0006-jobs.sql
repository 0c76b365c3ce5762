-- works with 0.1.0
-- What follows from a committed change, and periodic work (server/jobs/). Workers of 0.1.0 leave the rows to later ones.
create table jobs (
  id bigint primary key generated always as identity,
  kind text not null,
  -- Jobs with the same key run one after the other, in the order of their ids. Null: in any order.
  key text,
  -- Not jsonb, which refuses texts with half a surrogate pair.
  payload json not null,
  -- behind: an earlier job of the same key goes first. dead: no worker tries again.
  state text not null default 'due' check (state in ('due', 'behind', 'dead')),
  -- From when on a worker may claim it; the worker that has claimed it puts this off while the job runs.
  due timestamptz not null default now(),
  created timestamptz not null default now(),
  -- How often workers have claimed it. A worker ends only the claim that has its number.
  attempts int not null default 0,
  -- Of the last attempt that failed.
  error text,
  -- The only row of a kind with a schedule; it stays.
  is_periodic boolean not null default false
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);
create index jobs_due on jobs (kind, due) where state = 'due';
-- Two jobs of one key are never due at once.
create unique index jobs_head on jobs (key) where state = 'due';
create index jobs_behind on jobs (key, id) where state = 'behind';
create index jobs_dead on jobs (kind) where state = 'dead';
create unique index jobs_periodic on jobs (kind) where is_periodic;
