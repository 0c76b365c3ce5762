-- works with 0.1.0
-- Files of archives that are not stored with their messages (docs/moving-in.md).
create table import_files (
  id int primary key generated always as identity,
  import_id int not null references imports on delete cascade,
  -- The message that shows it, and its copy in the main topic.
  message_id bigint,
  copy_id bigint,
  -- Or the person (import_objects.key) whose picture it is.
  person text,
  name text not null,
  -- 0: the source does not say.
  bytes bigint not null,
  -- Its name in the archive, or the address from which it is downloaded.
  entry text,
  address text,
  -- Of the address: if it is busy, all its files wait.
  host text not null,
  -- The line of the messages that a link replaces.
  line text not null,
  state text not null default 'waiting' check (state in ('waiting', 'stored', 'lost')),
  -- Why it is lost.
  why text,
  -- The file here; null: none, or it is no file of a message.
  attachment_id int,
  attempts smallint not null default 0,
  -- When a worker downloads it; null: no worker does.
  due timestamptz,
  check ((entry is null) <> (address is null))
);
create index import_files_due on import_files (due) where due is not null;
create index import_files_import on import_files (import_id, id);

-- The hosts that may be asked for them.
alter table imports add column file_hosts text[] not null default '{}';

-- Custom emoji of archives are objects, too.
alter table import_objects drop constraint import_objects_kind_check;
alter table import_objects add constraint import_objects_kind_check check (kind in ('person', 'channel', 'conversation', 'emoji'));
