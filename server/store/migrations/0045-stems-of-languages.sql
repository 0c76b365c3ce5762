-- works with 0.1.0
-- While the job `rebuild-search` makes the words of all messages again, a search also asks for the stems of the languages that messages may
-- still have. Null: they may have the words of 0.1.0. `changes`: of the setting for the languages; a batch of the job that began before one
-- does not count.
alter table search_rebuild add column languages text[], add column changes int not null default 0;
update search_rebuild set languages = '{}' where next_id > last_id;
