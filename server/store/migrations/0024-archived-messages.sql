-- works with 0.1.0
-- Messages that were deleted or have expired: an operator can restore them for some time (docs/retention.md). Workers of 0.1.0 delete
-- messages without a row here, and never find one. The columns up to `last_move_time` are those of `messages`.
create table archived_messages (
  id bigint primary key,
  sender_id int not null,
  channel_id int,
  conversation_id int,
  topic text not null,
  content text not null,
  rendered_content text not null,
  renderer_version smallint not null,
  date_sent timestamptz not null,
  client text not null,
  read_by_sender boolean not null,
  is_me_message boolean not null,
  has_link boolean not null,
  has_image boolean not null,
  has_attachment boolean not null,
  wildcard_mentions smallint not null,
  read_by_all boolean not null,
  submessage_bytes int not null,
  last_edit_time timestamptz,
  last_move_time timestamptz,
  archived timestamptz not null default now(),
  -- Null: the server, because the message expired.
  deleter_id int,
  -- Rows that referred to the message, by the name of their table. Null: none.
  parts jsonb,
  -- The files that it used.
  file_ids int[] not null
);
create index archived_messages_archived on archived_messages (archived);
create index archived_messages_channel on archived_messages (channel_id, id);
create index archived_messages_sender on archived_messages (sender_id);
create index archived_messages_files on archived_messages using gin (file_ids) where file_ids <> '{}';

-- Files that only archived messages use: no user can read them. The columns are those of `attachments`.
create table archived_files (
  id int primary key,
  user_id int not null,
  path_id text not null unique,
  name text not null,
  content_type text not null,
  size bigint not null,
  created timestamptz not null,
  width int,
  height int,
  frames int,
  has_thumbnails boolean not null,
  thumbnail_due timestamptz,
  thumbnail_attempts smallint not null,
  awaits_size boolean not null
);
create index archived_files_user on archived_files (user_id);

-- Bytes of all archived files: they count for quotas, because they still take the disk.
alter table upload_space add column archived_bytes bigint not null default 0 check (archived_bytes >= 0);

-- Moves messages to the archive. The function is volatile, so that it reads what hangs on them after the statement has waited for its locks.
create function archive_messages(ids bigint[], deleter int) returns int language plpgsql volatile as $$
declare
  deleted int;
begin
  insert into archived_messages (
    id, sender_id, channel_id, conversation_id, topic, content, rendered_content, renderer_version, date_sent, client, read_by_sender,
    is_me_message, has_link, has_image, has_attachment, wildcard_mentions, read_by_all, submessage_bytes, last_edit_time, last_move_time,
    deleter_id, parts, file_ids
  )
  select
    m.id, sender_id, channel_id, conversation_id, topic, content, rendered_content, renderer_version, date_sent, client, read_by_sender,
    is_me_message, has_link, has_image, has_attachment, wildcard_mentions, read_by_all, submessage_bytes, last_edit_time, last_move_time,
    deleter,
    nullif(jsonb_strip_nulls(jsonb_build_object(
      'submessages', (select jsonb_agg(to_jsonb(s) order by s.id) from submessages s where s.message_id = m.id),
      'message_edits', (select jsonb_agg(to_jsonb(e) order by e.id) from message_edits e where e.message_id = m.id),
      'reactions', (select jsonb_agg(to_jsonb(r) order by r.id) from reactions r where r.message_id = m.id),
      'message_flags', (select jsonb_agg(to_jsonb(f) order by f.user_id) from message_flags f where f.message_id = m.id)
    )), '{}'),
    array(select attachment_id from attachment_uses u where u.message_id = m.id order by 1)
  from messages m where m.id = any(ids);
  delete from messages where id = any(ids);
  get diagnostics deleted = row_count;
  return deleted;
end
$$;

-- For how many days messages are kept, as the job of retention applies it; -1: for ever. A shorter time of the settings waits here before it
-- applies. Channel 0: direct messages. A channel without a row keeps all messages.
create table retention_terms (
  channel_id int primary key,
  days int not null,
  -- Both null: no shorter time waits.
  waiting_days int,
  applies_at timestamptz,
  check ((waiting_days is null) = (applies_at is null))
);
insert into retention_terms (channel_id, days)
select 0, coalesce((settings ->> 'message_retention_days')::int, -1) from organization
union all
select id, coalesce(message_retention_days, (select (settings ->> 'message_retention_days')::int from organization), -1) from channels;
