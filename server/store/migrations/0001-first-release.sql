-- One organization lives in one schema. `version` rises, under its row lock, with every change of users, groups,
-- channels or settings; a row's own `version` is the value at its last change, so a cache can query the newer rows.
create table organization (
  id smallint primary key default 1 check (id = 1),
  uuid uuid not null default gen_random_uuid(),
  -- Signs temporary addresses of files and addresses of pictures.
  secret text not null default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
  name text not null default 'Parley',
  description text not null default '',
  -- Settings that differ from the defaults of the protocol (`realm_*` without the prefix).
  settings jsonb not null default '{}',
  user_settings_defaults jsonb not null default '{}',
  -- Uploaded icon and logos: kind to {path, version}. The path below /user_avatars/ is null after a removal; the version rises.
  pictures jsonb not null default '{}',
  is_active boolean not null default true,
  date_created timestamptz not null default now(),
  version bigint not null default 1,
  -- Members whose waiting period ended before this time are full members; it advances in the transaction that emits the events of their promotion.
  full_members_as_of timestamptz not null default now()
);
insert into organization default values;

-- The version of the subscriptions, and of the facts of channels, that lists of channels show (server/store/channel-lists.ts).
create table lists_version (
  id smallint primary key default 1 check (id = 1),
  version bigint not null default 1
);
insert into lists_version default values;
-- Whose subscriptions each of the newest versions changed.
create table list_changes (
  version bigint primary key,
  user_ids int[] not null
);

-- Both versions, and whether no transaction is changing one of them. The keys are the advisory locks of those that do. The function is
-- volatile: its second statement sees what was committed after the first one found no such transaction (server/store/directory-lease.ts).
create function settled_version(
  key bigint, lists_key bigint, out version bigint, out lists_version bigint, out is_settled boolean
) language plpgsql volatile as $$
begin
  is_settled := pg_try_advisory_xact_lock_shared(key) and pg_try_advisory_xact_lock_shared(lists_key);
  select organization.version, lists.version into strict settled_version.version, settled_version.lists_version
  from organization, lists_version lists;
end
$$;

create table users (
  id int primary key generated always as identity,
  delivery_email text not null,
  full_name text not null check (char_length(full_name) between 1 and 100),
  role smallint not null check (role in (100, 200, 300, 400, 600)),
  is_active boolean not null default true,
  is_bot boolean not null default false,
  bot_type smallint check (bot_type between 1 and 4),
  bot_owner_id int references users,
  is_system_bot boolean not null default false,
  -- 1 all users, 2 members, 3 administrators, 4 no user, 5 moderators (docs/users.md#two-addresses).
  email_address_visibility smallint not null default 1 check (email_address_visibility between 1 and 5),
  api_key text not null unique check (api_key ~ '^[A-Za-z0-9]{32}$'),
  password_hash text,
  timezone text not null default '',
  avatar_source text not null default 'G' check (avatar_source in ('G', 'J', 'U')),
  avatar_version int not null default 1,
  -- Path below /user_avatars/ of an uploaded avatar, without its extension.
  avatar_path text check ((avatar_path is null) = (avatar_source <> 'U')),
  default_all_public_streams boolean not null default false,
  default_events_register_stream_id int,
  -- Personal settings that differ from the organization's defaults at the time of joining.
  settings jsonb not null default '{}',
  -- Values of custom_profile_fields, by the field's id.
  profile_data jsonb not null default '{}',
  -- Parts of the status that are set: text, emoji.
  status jsonb not null default '{}',
  -- As written, in the order in which the user added them; no two differ only in letter case.
  alert_words text[] not null default '{}',
  onboarding_seen text[] not null default '{visibility_policy_banner}',
  -- Muted users as {id, timestamp}, in the order of muting.
  muted_users jsonb not null default '[]',
  date_joined timestamptz not null default now(),
  version bigint not null default 1,
  -- Rights that only the command `admin user grant` gives.
  can_create_users boolean not null default false,
  can_change_user_emails boolean not null default false,
  -- The user is deactivated, and the server has removed all personal data.
  is_deleted boolean not null default false,
  -- The user once had a queue with all_public_streams: the audience of messages in public channels then includes the user.
  reads_public_channels boolean not null default false,
  -- Names of the personal settings that the user has changed; an administrator's change for all users can skip these users.
  edited_settings text[] not null default '{}',
  check (is_bot = (bot_type is not null))
);
create unique index users_delivery_email on users (lower(delivery_email));
create index users_version on users (version);
create index users_bot_owner on users (bot_owner_id) where bot_owner_id is not null;

-- Addresses that users want to have and have not confirmed; one for each user, the newest.
create table pending_addresses (
  user_id int primary key references users,
  address text not null,
  -- SHA-256 of the key in the mail to that address.
  key_hash bytea not null unique,
  expires timestamptz not null
);

-- Devices on which clients of a user run.
create table devices (
  id int primary key generated always as identity,
  user_id int not null references users,
  date_registered timestamptz not null default now()
);
create index devices_user on devices (user_id);

-- Fields that the organization adds to its members' profiles.
create table custom_profile_fields (
  id int primary key generated always as identity,
  -- 1 short text, 2 long text, 3 select, 4 date, 5 link, 6 users, 7 external account, 8 pronouns.
  type smallint not null check (type between 1 and 8),
  name text not null check (char_length(name) between 1 and 40),
  hint text not null default '' check (char_length(hint) <= 80),
  -- Select: key to {text, order}. External account: {subtype, url_pattern?}. Null for all others.
  field_data jsonb,
  position int not null,
  required boolean not null default false,
  editable_by_user boolean not null default true,
  display_in_profile_summary boolean not null default false
);
create unique index custom_profile_fields_name on custom_profile_fields (lower(name));

-- Data that bots store. A key may be longer than an index entry, so the index has its SHA-256.
create table bot_storage (
  bot_id int not null references users,
  key_hash bytea not null,
  key text not null,
  value text not null,
  primary key (bot_id, key_hash)
);

-- Characters of all of a bot's keys and values. A change of a bot's storage locks this row.
create table bot_storage_sizes (
  bot_id int primary key references users,
  characters bigint not null check (characters >= 0)
);

create table saved_snippets (
  id int primary key generated always as identity,
  user_id int not null references users,
  title text not null check (char_length(title) between 1 and 60),
  content text not null check (char_length(content) between 1 and 10000),
  date_created timestamptz not null default now()
);
create index saved_snippets_user on saved_snippets (user_id);

-- Messages that users have not sent yet.
create table drafts (
  id int primary key generated always as identity,
  user_id int not null references users,
  type text not null check (type in ('', 'private', 'stream')),
  -- Of a channel its id; of a conversation the ids of the others. The channel may be gone since.
  recipients int[] not null,
  topic text not null check (char_length(topic) <= 60),
  content text not null check (char_length(content) between 1 and 10000),
  -- The last edit, as the client says; whole seconds.
  last_edited timestamptz not null
);
create index drafts_user on drafts (user_id);

-- Views that users made themselves, and built-in views that they have configured (these have no name).
create table navigation_views (
  id int primary key generated always as identity,
  user_id int not null references users,
  fragment text not null check (fragment <> ''),
  is_pinned boolean not null,
  name text check (name <> '')
);
-- The indexes contain digests, because the texts may be longer than an index entry.
create unique index navigation_views_fragment on navigation_views (user_id, md5(fragment));
create unique index navigation_views_name on navigation_views (user_id, md5(name)) where name is not null;

-- Named groups, and groups without a name that hold a group-setting value of several members or groups.
-- The members of a system group follow from users.role; such groups have no member rows.
create table user_groups (
  id int primary key generated always as identity,
  name text check (name is null or char_length(name) between 1 and 100),
  description text not null default '',
  is_system_group boolean not null default false,
  deactivated boolean not null default false,
  creator_id int references users,
  date_created timestamptz not null default now(),
  -- can_*_group of the group itself: setting name to group id.
  settings jsonb not null default '{}',
  version bigint not null default 1
);
-- Letter case counts, and deactivated groups keep their names.
create unique index user_groups_name on user_groups (name) where name is not null;
create index user_groups_version on user_groups (version);

create table user_group_members (
  group_id int not null references user_groups,
  user_id int not null references users,
  primary key (group_id, user_id)
);
create index user_group_members_user on user_group_members (user_id);

create table user_group_subgroups (
  group_id int not null references user_groups,
  subgroup_id int not null references user_groups,
  primary key (group_id, subgroup_id),
  check (group_id <> subgroup_id)
);
create index user_group_subgroups_subgroup on user_group_subgroups (subgroup_id);

insert into user_groups (name, description, is_system_group) values
  ('role:internet', 'Everyone on the Internet', true),
  ('role:everyone', 'Everyone in this organization, including guests', true),
  ('role:members', 'Members of this organization, not including guests', true),
  ('role:fullmembers', 'Members of this organization, not including new accounts and guests', true),
  ('role:moderators', 'Moderators, administrators and owners of this organization', true),
  ('role:administrators', 'Administrators of this organization, including owners', true),
  ('role:owners', 'Owners of this organization', true),
  ('role:nobody', 'Nobody', true);
insert into user_group_subgroups (group_id, subgroup_id)
  select outside.id, inside.id
  from user_groups outside join user_groups inside on inside.id = outside.id + 1
  where inside.name <> 'role:nobody';

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
  -- can_*_group: setting name to group id (a named group, or one without a name for a set of members and groups).
  settings jsonb not null default '{}',
  -- organization.version at the last change of the row above.
  version bigint not null default 1,
  -- Rises, under this row's lock, when a user subscribes or unsubscribes: an audience computed from a cached list of
  -- subscribers is exact if this still has the value that the list was read with.
  subscribers_version bigint not null default 1,
  -- Whether new subscriptions begin with push notifications switched on, whatever the subscriber's setting for all channels.
  default_push_notifications boolean not null default false,
  check (not (is_web_public and invite_only)),
  check (invite_only or history_public_to_subscribers)
);
create unique index channels_name on channels (lower(name));
create index channels_version on channels (version);

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

-- Groups of public channels that new members may choose.
create table default_channel_groups (
  id int primary key generated always as identity,
  name text not null check (char_length(name) between 1 and 60),
  description text not null default '' check (char_length(description) <= 1024),
  -- Ascending.
  channel_ids int[] not null default '{}'
);
create unique index default_channel_groups_name on default_channel_groups (lower(name));

-- Messages of the last four weeks in each channel, counted from time to time: `stream_weekly_traffic` is an average that need not be
-- recent, and a register answer must not count messages.
create table channel_traffic (
  channel_id int primary key references channels,
  messages int not null
);
create table channel_traffic_counted (
  id smallint primary key default 1 check (id = 1),
  at timestamptz not null default '-infinity'
);
insert into channel_traffic_counted default values;

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
  -- The message ids during which the subscription was active: which messages the user received, and where unread begins.
  spans int8multirange not null default '{}',
  -- After the subscription ended, the user could no longer see the channel. If the user can see it again, clients show it as one that
  -- the user never subscribed to, because the event `stream/create` says so.
  is_forgotten boolean not null default false check (not (is_active and is_forgotten)),
  primary key (user_id, channel_id)
);
create index subscriptions_channel on subscriptions (channel_id) include (user_id) where is_active;

create index subscriptions_former on subscriptions (channel_id) where not is_active;

-- A message in a muted channel may change the sender's policy for its topic, and must not cost a query for that. So workers cache the
-- users who have muted a channel together with its subscribers, and every change of is_muted makes a new version of the list.
create function subscribers_changed() returns trigger language plpgsql as $$
begin
  update channels set subscribers_version = subscribers_version + 1 where id = new.channel_id;
  return null;
end
$$;
create trigger subscriptions_muted after update of is_muted on subscriptions
  for each row when (old.is_muted is distinct from new.is_muted) execute function subscribers_changed();

-- Visibility policies of users for single topics. Spellings that differ only in letter case name one topic; `topic` has the spelling of
-- the last change.
create table user_topics (
  user_id int not null references users,
  channel_id int not null references channels,
  topic text not null check (char_length(topic) <= 60),
  -- 1 muted, 2 unmuted, 3 followed. The default policy has no row.
  visibility_policy smallint not null check (visibility_policy between 1 and 3),
  last_updated timestamptz not null
);
create unique index user_topics_key on user_topics (user_id, channel_id, lower(topic));
create index user_topics_topic on user_topics (channel_id, lower(topic));

-- A direct conversation is its set of participants.
create table conversations (
  id int primary key generated always as identity,
  -- Ascending, without duplicates; includes the sender of every message.
  user_ids int[] not null unique check (cardinality(user_ids) >= 1)
);
create index conversations_users on conversations using gin (user_ids);

-- No foreign keys on the hot path: the statement that inserts a message reads and locks its channel itself, users are
-- never deleted, and a key check for every row costs as much as the row.
create table messages (
  -- From 2^27 on: smaller ids are for messages of an earlier time that are imported later, because ids rise with time.
  id bigint primary key generated always as identity (start with 134217728),
  sender_id int not null,
  channel_id int,
  conversation_id int,
  topic text not null default '' check (char_length(topic) <= 60),
  content text not null,
  rendered_content text not null,
  renderer_version smallint not null,
  date_sent timestamptz not null default now(),
  client text not null default '',
  read_by_sender boolean not null default false,
  is_me_message boolean not null default false,
  has_link boolean not null default false,
  has_image boolean not null default false,
  has_attachment boolean not null default false,
  -- Bit 1: the message mentions all subscribers of the channel, bit 2: all participants of the topic. The receivers of the mention follow
  -- from the subscription spans, so that no row per reader is written (I3).
  wildcard_mentions smallint not null default 0,
  last_edit_time timestamptz,
  last_move_time timestamptz,
  -- The words; and as words that no text contains, what the message has and the blocks of 4,096, 16,384 and 65,536 ids that it is in
  -- (server/store/message-search.ts).
  search tsvector generated always as (
    to_tsvector('english', topic || ' ' || content) || array_to_tsvector(array_remove(array[
      '#12/' || (id >> 12)::text,
      '#14/' || (id >> 14)::text,
      '#16/' || (id >> 16)::text,
      case when has_link then '#link' end,
      case when has_image then '#image' end,
      case when has_attachment then '#attachment' end
    ], null))
  ) stored,
  -- The message counts as read for all its receivers, without a row per reader (I3); the notice that a topic is resolved is such a
  -- message. A user who has marked it as unread has bit 64 in message_flags.
  read_by_all boolean not null default false,
  -- Bytes of its submessages; more than 0: it has some.
  submessage_bytes int not null default 0,
  check ((channel_id is null) <> (conversation_id is null)),
  check (conversation_id is null or topic = '')
) with (fillfactor = 95);
create index messages_channel_topic on messages (channel_id, lower(topic), id) where channel_id is not null;
create index messages_channel on messages (channel_id, id) where channel_id is not null;
-- With what decides whether a message was read when it was stored (store/unread-facts.ts).
create index messages_conversation on messages (conversation_id, id) include (sender_id, read_by_sender, read_by_all)
  where conversation_id is not null;
create index messages_sender on messages (sender_id, id);
-- A search in channels where few messages have such a part reads only those.
create index messages_channel_link on messages (channel_id, id) where has_link;
create index messages_channel_image on messages (channel_id, id) where has_image;
create index messages_channel_attachment on messages (channel_id, id) where has_attachment;
-- The search for unread mentions of whole channels reads few messages.
create index messages_channel_wildcard on messages (channel_id, id) where wildcard_mentions <> 0;
-- The pending list is larger than by default (in kB), because the writer of messages merges it itself, outside of the inserts.
create index messages_search on messages using gin (search) with (gin_pending_list_limit = 16384);

-- The version of the messages of a channel: a move, a deletion or a change of wildcard_mentions makes a new one, a new message does
-- not. Workers keep the ids of old messages by topic for each version (server/store/channel-index.ts). No row: version 0.
create table channel_changes (
  channel_id int primary key references channels,
  version bigint not null
);
create function channels_changed(channel_ids int[]) returns void language sql as $$
  insert into channel_changes (channel_id, version)
  select id, 1 from unnest(channel_ids) as changed (id) where id is not null group by id order by id
  on conflict (channel_id) do update set version = channel_changes.version + 1
$$;
create function messages_moved() returns trigger language plpgsql as $$
begin
  perform channels_changed(array_agg(before.channel_id) || array_agg(after.channel_id))
  from before join after using (id)
  where (before.channel_id, before.topic, before.wildcard_mentions) is distinct from (after.channel_id, after.topic, after.wildcard_mentions);
  return null;
end
$$;
create trigger messages_moved after update on messages
  referencing old table as before new table as after for each statement execute function messages_moved();
create function messages_deleted() returns trigger language plpgsql as $$
begin
  perform channels_changed(array_agg(channel_id)) from before;
  return null;
end
$$;
create trigger messages_deleted after delete on messages
  referencing old table as before for each statement execute function messages_deleted();

-- What a poll or another widget began with, and what users did to it. The first one has the id of its message, so that the event of
-- the message can hold it; so later ones take their ids from the same sequence.
create table submessages (
  id bigint primary key default nextval('messages_id_seq'),
  message_id bigint not null references messages on delete cascade,
  sender_id int not null references users,
  msg_type text not null,
  content text not null
);
create index submessages_message on submessages (message_id, id);

-- Earlier contents and places of messages: one row for each edit or move, so that a change does not write the earlier ones
-- again. The columns are those of the protocol's edit_history.
create table message_edits (
  id bigint primary key generated always as identity,
  message_id bigint not null references messages on delete cascade,
  user_id int,
  edited_at timestamptz not null,
  prev_stream int,
  stream int,
  prev_topic text,
  topic text,
  prev_content text,
  prev_rendered_content text
);
create index message_edits_message on message_edits (message_id, id);

create table reactions (
  message_id bigint not null references messages on delete cascade,
  user_id int not null references users,
  reaction_type text not null check (reaction_type in ('unicode_emoji', 'realm_emoji', 'extra_emoji')),
  emoji_code text not null,
  emoji_name text not null,
  id bigint generated always as identity,
  primary key (message_id, reaction_type, emoji_code, user_id)
);

-- Only flags that are set: bit 1 starred, 2 collapsed, 4 mentioned, 8 topic_wildcard_mentioned, 16 has_alert_word,
-- 32 historical (the user has flags on a message without having received it), 64 unread, although the message counts as read for its
-- sender or for all users.
create table message_flags (
  user_id int not null,
  message_id bigint not null references messages on delete cascade,
  flags int not null check (flags <> 0),
  primary key (user_id, message_id)
);
create index message_flags_message on message_flags (message_id);
create index message_flags_starred on message_flags (user_id, message_id) where flags & 1 <> 0;
create index message_flags_mentioned on message_flags (user_id, message_id) where flags & 28 <> 0;

-- Uploaded files. Their bytes are in the store of files, under `path_id`.
create table attachments (
  id int primary key generated always as identity,
  user_id int not null references users,
  path_id text not null unique,
  -- As the uploader gave them; neither is trusted.
  name text not null,
  content_type text not null,
  size bigint not null check (size >= 0),
  created timestamptz not null default now(),
  -- Of a picture with thumbnails, as it is shown; null for other files.
  width int,
  height int,
  frames int,
  has_thumbnails boolean not null default false,
  -- When a worker may make thumbnails, or render messages again; null: nothing is left to do.
  thumbnail_due timestamptz,
  thumbnail_attempts smallint not null default 0
);
create index attachments_user on attachments (user_id);
create index attachments_due on attachments (thumbnail_due) where thumbnail_due is not null;

-- The messages in which a file is used. Who may read one of them may read the file.
create table attachment_uses (
  attachment_id int not null references attachments on delete cascade,
  message_id bigint not null references messages on delete cascade,
  primary key (attachment_id, message_id)
);
create index attachment_uses_message on attachment_uses (message_id);

-- Bytes of all attachments.
create table upload_space (
  id smallint primary key default 1 check (id = 1),
  bytes bigint not null default 0 check (bytes >= 0)
);
insert into upload_space default values;

-- Keys of the store of files without a row that names them: a file is added before its bytes are stored, and removed by the transaction
-- that names it; a file that is removed is added again. So no crash leaves bytes behind for ever.
create table loose_files (
  key text primary key,
  remove_after timestamptz not null
);
create index loose_files_due on loose_files (remove_after);

-- What websites show of themselves in messages, for a while.
create table websites (
  url text primary key,
  -- Null: nothing, or it could not be read.
  website jsonb,
  expires timestamptz not null
);
create index websites_expires on websites (expires);

-- Messages whose links to websites are still to be read; the row goes when the message has been rendered again.
create table website_work (
  message_id bigint primary key references messages on delete cascade,
  -- Of the message: workers read websites for the senders in turn.
  sender_id int not null,
  -- When a worker may begin; a worker that has begun has until then.
  due timestamptz not null default now(),
  attempts smallint not null default 0
);
create index website_work_due on website_work (due);
create index website_work_sender on website_work (sender_id, due);

-- Uploads that arrive in several requests. Their bytes are stored in parts, which remain in loose_files: an upload that is not finished
-- within a day is forgotten, and its parts are removed.
create table resumable_uploads (
  path_id text primary key,
  user_id int not null references users,
  name text not null,
  content_type text not null,
  -- The header Upload-Metadata, which HEAD returns.
  metadata text not null,
  length bigint not null check (length >= 0),
  received bigint not null default 0 check (received between 0 and length),
  -- The file is an attachment now; the row remains for a client that missed the answer.
  is_done boolean not null default false,
  -- The request that stores bytes, and the time from which another one may: its worker has died, or its client is silent.
  writer text not null default '',
  writer_until timestamptz not null default now(),
  created timestamptz not null default now()
);
create index resumable_uploads_user on resumable_uploads (user_id) where not is_done;
create index resumable_uploads_created on resumable_uploads (created);

create table resumable_parts (
  path_id text not null references resumable_uploads on delete cascade,
  start bigint not null,
  size bigint not null check (size > 0),
  key text not null unique,
  primary key (path_id, start)
);

-- What a user has read: ranges of message ids, per block of 2^16 ids. A range may cover messages that the user cannot see: unread are
-- the messages that the user may see and that no range covers.
create table read_state (
  user_id int not null,
  block int not null,
  ranges int8multirange not null,
  -- Number of ranges after the last reduction of the block; the next one runs at 256 ranges more than twice this number.
  condensed int not null default 0,
  primary key (user_id, block)
);

-- Patterns that become links, in the order of `position`.
create table linkifiers (
  id int primary key generated always as identity,
  pattern text not null check (pattern <> ''),
  url_template text not null check (url_template <> ''),
  example_input text check (example_input <> ''),
  reverse_template text check (reverse_template <> ''),
  alternative_url_templates text[] not null default '{}',
  position int not null,
  check (reverse_template is null or example_input is not null),
  -- A hash, because a B-tree index holds no text of this length.
  exclude using hash (pattern with =),
  -- Checked at the end of a statement, because a new order changes all positions at once.
  unique (position) deferrable initially immediate
);

-- The organization's version at the last change of a linkifier or of their order: workers keep the list in memory.
create table linkifier_list (
  id smallint primary key default 1 check (id = 1),
  version bigint not null default 1
);
insert into linkifier_list default values;

-- Emoji that users added. A row stays for ever, because reactions and texts refer to it.
create table custom_emoji (
  id int primary key generated always as identity,
  name text not null check (name ~ '^[0-9a-z_-]{0,99}[0-9a-z]$'),
  author_id int not null references users,
  -- Path of its picture below /user_avatars/.
  path text not null unique,
  -- There is a still picture, too.
  is_animated boolean not null,
  deactivated boolean not null default false,
  version bigint not null default 1
);
create unique index custom_emoji_name on custom_emoji (name) where not deactivated;
create index custom_emoji_version on custom_emoji (version);

-- Events of committed transactions that may not have reached the feed yet. A worker publishes them right after its commit; another
-- worker publishes the rows that a dead one left. Rows are deleted a few seconds after publishing, so that they can be published again if
-- Redis lost its last second. The storage parameters fit rows that live for seconds; lookups use the id only.
create table outbox (
  id bigint primary key generated always as identity,
  -- The transaction of the change: a register answer's snapshot shows by it whether its state contains the change.
  xid xid8 not null default pg_current_xact_id(),
  created timestamptz not null default clock_timestamp(),
  -- The insert of the message assigns the id after the entry was encoded, so publishing puts it into the event.
  message_id bigint,
  -- Feed entry, as server/realtime/encoding/entry.ts encodes it. Not compressed: for a long audience that costs more than the insert.
  entry bytea not null
) with (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);
alter table outbox alter column entry set storage external;

-- Sends of the last minutes that carry a local id: a repeated send stores no second message (docs/protocol/conventions.md#repeated-sends).
create table idempotency_keys (
  -- Digest of the sender, the queue and the local id; or of the start of a server, so that one of its workers announces it (message 0).
  key uuid primary key,
  message_id bigint not null,
  created timestamptz not null default now()
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);

-- Administrative changes. Nothing refers to accounts, because a row outlives them.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  -- Null: the server itself, its operator, or an unknown caller.
  actor_id integer,
  -- Operation of the API, or another cause.
  operation text not null,
  request_id text not null default '',
  address text not null default '',
  -- Name of the change's event.
  event text not null,
  subject jsonb not null,
  before jsonb,
  after jsonb
);
create index audit_log_at on audit_log (at);
create index audit_log_actor on audit_log (actor_id, id);
