-- works with 0.1.0
-- Small files of text, and what people add to polls and to-do lists, are words of their messages. The job `rebuild-search` adds them to messages
-- with the mark #before, so that a worker that stores a message reads no files.
create function messages_with_further_words() returns trigger language plpgsql as $$
begin
  new.search := new.search || '#before'::tsvector;
  return new;
end
$$;
-- Their names come after those of the triggers that give messages their words. The names of files: server/store/messages/search-rebuild.ts.
create trigger messages_with_files_inserted before insert on messages for each row
  when (new.has_attachment and new.content ~* '/user_uploads/\S+\.(txt|md|csv|tsv|log|json|ya?ml|xml|ini|toml|sql|diff|patch|srt|vtt|tex)\M')
  execute function messages_with_further_words();
create trigger messages_with_more_changed before update of content on messages for each row
  when (new.submessage_bytes > 0 or new.has_attachment) execute function messages_with_further_words();

create function widget_has_more_words() returns trigger language plpgsql as $$
begin
  update messages set search = search || '#before'::tsvector where id = new.message_id;
  return null;
end
$$;
create trigger submessages_with_words after insert on submessages for each row
  when (new.content ~ '"type"\s*:\s*"(new_option|question|new_task|new_task_list_title)"') execute function widget_has_more_words();

-- A file that is removed leaves no words in its messages. Before its uses go with it.
create function file_leaves_messages() returns trigger language plpgsql as $$
begin
  update messages set search = search || '#before'::tsvector
  where id in (select message_id from attachment_uses where attachment_id = old.id);
  return old;
end
$$;
create trigger attachments_with_words_removed before delete on attachments for each row
  when (old.path_id ~* '\.(txt|md|csv|tsv|log|json|ya?ml|xml|ini|toml|sql|diff|patch|srt|vtt|tex)$') execute function file_leaves_messages();
