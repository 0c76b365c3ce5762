create table channels (
  id int primary key generated always as identity,
  name text not null check (char_length(name) between 1 and 60),
  description text not null default '' check (char_length(description) <= 1024),
  rendered_description text not null default '',
  creator_id int references users,
  date_created timestamptz not null default now(),
  invite_only boolean not null default false,
  is_web_public boolean not null default false,
  history_public_to_subscribers boolean not null default true,
  is_archived boolean not null default false,
  is_default boolean not null default false,
  -- Null: the organization's; -1: forever.
  message_retention_days int,
  first_message_id bigint,
  folder_id int,
  topics_policy text not null default 'inherit'
    check (topics_policy in ('inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only')),
  -- can_*_group: setting name to group id (a named group, or a nameless one for a set of members and groups).
  settings jsonb not null default '{}',
  -- organization.version at the last change of the row above.
  version bigint not null default 1,
  -- Rises, under this row's lock, when somebody subscribes or unsubscribes: an audience computed from a cached list of
  -- subscribers is right exactly when this still has the value that the list was read with.
  subscribers_version bigint not null default 1,
  check (not (is_web_public and invite_only)),
  check (invite_only or history_public_to_subscribers)
);
create unique index channels_name on channels (lower(name));
create index channels_version on channels (version);

create table subscriptions (
  user_id int not null references users,
  channel_id int not null references channels,
  is_active boolean not null default true,
  color text not null default '#c2c2c2' check (color ~ '^#[0-9a-f]{6}$'),
  is_muted boolean not null default false,
  pin_to_top boolean not null default false,
  desktop_notifications boolean,
  email_notifications boolean,
  push_notifications boolean,
  audible_notifications boolean,
  wildcard_mentions_notify boolean,
  -- The message ids during which the subscription was active: who received what, and where unread begins.
  spans int8multirange not null default '{}',
  primary key (user_id, channel_id)
);
create index subscriptions_channel on subscriptions (channel_id) include (user_id) where is_active;
