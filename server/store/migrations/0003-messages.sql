-- A direct conversation is its set of participants.
create table conversations (
  id int primary key generated always as identity,
  -- Sorted, without repeats, the sender among them.
  user_ids int[] not null unique check (cardinality(user_ids) >= 1)
);
create index conversations_users on conversations using gin (user_ids);

-- No foreign keys on the hot path: the statement that inserts a message reads and locks its channel itself, users are
-- never deleted, and a key check for every row costs as much as the row.
create table messages (
  id bigint primary key generated always as identity,
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
  -- Bit 1: the channel's subscribers were mentioned as a whole, bit 2: the topic's participants. Who got it follows from
  -- the subscription spans, so that no row per reader is written (I3).
  wildcard_mentions smallint not null default 0,
  last_edit_time timestamptz,
  last_move_time timestamptz,
  -- Newest first: entries of the wire's edit_history_entry.
  edit_history jsonb,
  -- outbox id of the event that announced this message.
  outbox_id bigint,
  search tsvector generated always as (to_tsvector('english', topic || ' ' || content)) stored,
  check ((channel_id is null) <> (conversation_id is null)),
  check (conversation_id is null or topic = '')
) with (fillfactor = 95);
create index messages_channel_topic on messages (channel_id, lower(topic), id) where channel_id is not null;
create index messages_channel on messages (channel_id, id) where channel_id is not null;
create index messages_conversation on messages (conversation_id, id) where conversation_id is not null;
create index messages_sender on messages (sender_id, id);
create index messages_search on messages using gin (search);

create table reactions (
  message_id bigint not null references messages on delete cascade,
  user_id int not null references users,
  reaction_type text not null check (reaction_type in ('unicode_emoji', 'realm_emoji', 'extra_emoji')),
  emoji_code text not null,
  emoji_name text not null,
  id bigint generated always as identity,
  primary key (message_id, reaction_type, emoji_code, user_id)
);

-- Only what is set: bit 1 starred, 2 collapsed, 4 mentioned, 8 topic_wildcard_mentioned, 16 has_alert_word,
-- 32 historical (has flags without having received it), 64 marked unread by hand although the sender is the reader.
create table message_flags (
  user_id int not null,
  message_id bigint not null references messages on delete cascade,
  flags int not null check (flags <> 0),
  primary key (user_id, message_id)
);
create index message_flags_message on message_flags (message_id);
create index message_flags_starred on message_flags (user_id, message_id) where flags & 1 <> 0;
create index message_flags_mentioned on message_flags (user_id, message_id) where flags & 28 <> 0;

-- What a user has read: ranges of message ids, per block of 2^16 ids. A read range may cover messages that the user
-- cannot see: unread is what it may see, less what is in here.
create table read_state (
  user_id int not null,
  block int not null,
  ranges int8multirange not null,
  primary key (user_id, block)
);

-- Events of committed writes that may not have reached the feed yet. The writer publishes right after its commit; any
-- worker publishes what a dead one left. Rows go a few seconds after publishing, so that a Redis that lost its last
-- second can be told again.
create table outbox (
  id bigint primary key generated always as identity,
  -- Which transaction it was: a register's snapshot tells by this whether its state already holds the change.
  xid xid8 not null default pg_current_xact_id(),
  created timestamptz not null default clock_timestamp(),
  -- The id is given by the insert, after the entry was encoded: it goes into the event when it is published.
  message_id bigint,
  -- Feed entry, as server/realtime/encoding/entry.ts encodes it.
  entry bytea not null
);
create index outbox_created on outbox (created);
