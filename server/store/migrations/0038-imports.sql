-- works with 0.1.0
-- Archives of other chat servers that were imported (docs/moving-in.md). No worker reads these tables: the command `import` writes them.
create table imports (
  id int primary key generated always as identity,
  -- The name of the other server.
  source text not null,
  -- SHA-256 of the archive: the same archive is imported once, and continued if it was interrupted.
  digest text not null unique,
  state text not null check (state in ('people', 'messages', 'channels', 'finished')),
  -- The ids of its messages.
  first_id bigint not null,
  last_id bigint not null,
  -- Records of the archive, from its start, whose messages are stored.
  done int not null default 0,
  -- What the check found, and what was written.
  checked jsonb not null,
  written jsonb not null default '{}',
  -- Faults that were found while writing.
  faults jsonb not null default '[]',
  started timestamptz not null default now(),
  finished timestamptz
);

-- What a running import has read of its archive, until its order is stored. A crash of the database may empty it.
create unlogged table import_stage (
  number int not null,
  key text not null,
  sent timestamptz not null,
  ids int not null,
  place text not null,
  thread text,
  is_reply boolean not null,
  title text not null
);

-- What people, channels and conversations of archives are here.
create table import_objects (
  import_id int not null references imports on delete cascade,
  kind text not null check (kind in ('person', 'channel', 'conversation')),
  -- The id at the source.
  key text not null,
  -- The id here; null: there is none yet. Of a channel it is reserved before the channel exists.
  object_id int,
  -- The import has made it, or will.
  is_new boolean not null default true,
  -- Of a channel: its name here. Of a sender in no list: its name there, until it has an account.
  name text,
  is_bot boolean not null default false,
  primary key (import_id, kind, key)
);

-- The messages of archives, with the ids that they have here.
create table import_messages (
  import_id int not null references imports on delete cascade,
  -- Of its record in the archive, from 1.
  number int not null,
  key text not null,
  sent timestamptz not null,
  -- The first of its ids: a message with a copy or a pointer has two, and a long text several.
  id bigint not null,
  ids smallint not null,
  primary key (import_id, number)
);
create unique index import_messages_key on import_messages (key, import_id);

-- Threads with replies: the topics that they become.
create table import_threads (
  import_id int not null references imports on delete cascade,
  place text not null,
  thread text not null,
  topic text not null check (char_length(topic) <= 60),
  replies int not null,
  primary key (import_id, place, thread)
);

-- Messages of a channel that does not exist yet have no version: it begins with the channel.
create or replace function channels_changed(channel_ids int[]) returns void language sql as $$
  insert into channel_changes (channel_id, version)
  select changed.id, 1 from unnest(channel_ids) as changed (id) join channels on channels.id = changed.id group by changed.id order by 1
  on conflict (channel_id) do update set version = channel_changes.version + 1
$$;
