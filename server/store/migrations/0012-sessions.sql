-- works with 0.1.0
-- Sessions of pages, each with a cookie in one browser. Workers of 0.1.0 know none of them.
create table sessions (
  id int primary key generated always as identity,
  user_id int not null references users on delete cascade,
  -- SHA-256 of the cookie's value.
  token_hash bytea not null unique,
  created timestamptz not null default now(),
  -- Some minutes old at most; two weeks later the session has expired.
  last_used timestamptz not null default now(),
  -- How its user signed in: `password`, or the name of another method.
  method text not null,
  -- Browser and system, as the browser named them.
  device text not null,
  -- The client's address at the sign-in, and later at the last use that was written.
  address text not null
);
create index sessions_user on sessions (user_id, last_used);
create index sessions_last_used on sessions (last_used);
