-- works with 0.1.0
-- Workers make the words of messages themselves (docs/protocol/search.md). What 0.1.0 stored has English stems of the Markdown only; the
-- job `rebuild-search` replaces it. Both kinds of workers can search both: stems are part of the new words.
alter table messages alter column search drop expression;

-- As words that no text contains: what the message has and the blocks of 4,096, 16,384 and 65,536 ids that it is in
-- (server/store/pages/message-search.ts).
create function search_marks(id bigint, has_link boolean, has_image boolean, has_attachment boolean) returns tsvector
language sql immutable as $$
  select array_to_tsvector(array_remove(array[
    '#12/' || (id >> 12)::text,
    '#14/' || (id >> 14)::text,
    '#16/' || (id >> 16)::text,
    case when has_link then '#link' end,
    case when has_image then '#image' end,
    case when has_attachment then '#attachment' end
  ], null))
$$;

-- The words of a message in another topic. Labels a and b: of the topic; c and d: of the content.
create function search_in_topic(search tsvector, topic tsvector, marks tsvector) returns tsvector language sql immutable as $$
  select ts_filter(search, '{c,d}') || topic || marks || case when search @@ '#before'::tsquery then '#before'::tsvector else '' end
$$;

-- A worker of 0.1.0, and whatever else writes a message without its words, gets words that find it until the job has made the right ones.
create function messages_without_words() returns trigger language plpgsql as $$
begin
  new.search := setweight(to_tsvector('english', new.topic || ' ' || new.content), 'C') || to_tsvector('simple', new.topic || ' ' || new.content)
    || search_marks(new.id, new.has_link, new.has_image, new.has_attachment) || '#before'::tsvector;
  return new;
end
$$;
create trigger messages_inserted_without_words before insert on messages
  for each row when (new.search is null) execute function messages_without_words();
create trigger messages_changed_without_words before update of topic, content, has_link, has_image, has_attachment on messages
  for each row when ((new.topic, new.content, new.has_link, new.has_image, new.has_attachment)
    is distinct from (old.topic, old.content, old.has_link, old.has_image, old.has_attachment) and new.search is not distinct from old.search)
  execute function messages_without_words();

-- How far the job has come: it has made the words of the messages below next_id. Searches use what 0.1.0 stored until it is past last_id.
create table search_rebuild (
  only_row boolean primary key default true check (only_row),
  next_id bigint not null,
  last_id bigint not null
);
insert into search_rebuild (next_id, last_id) select 0, coalesce(max(id), -1) from messages;
