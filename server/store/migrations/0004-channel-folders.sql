-- Folders that group channels in clients, in the order of `position`.
create table channel_folders (
  id int primary key generated always as identity,
  name text not null check (char_length(name) between 1 and 60),
  description text not null default '' check (char_length(description) <= 1024),
  rendered_description text not null default '',
  position int not null,
  creator_id int references users,
  date_created timestamptz not null default now(),
  is_archived boolean not null default false
);
create unique index channel_folders_name on channel_folders (lower(name)) where not is_archived;
