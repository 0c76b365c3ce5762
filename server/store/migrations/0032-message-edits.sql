-- What messages were before they were edited or moved: one row for each change, so that a change does not write the earlier ones
-- again. The columns are those of the wire's edit_history_entry.
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

insert into message_edits (message_id, user_id, edited_at, prev_stream, stream, prev_topic, topic, prev_content, prev_rendered_content)
select messages.id, (entry->>'user_id')::int, to_timestamp((entry->>'timestamp')::bigint), (entry->>'prev_stream')::int,
  (entry->>'stream')::int, entry->>'prev_topic', entry->>'topic', entry->>'prev_content', entry->>'prev_rendered_content'
from messages cross join lateral jsonb_array_elements(edit_history) with ordinality as listed (entry, place)
where edit_history is not null
order by messages.id, place desc;

alter table messages drop column edit_history;
