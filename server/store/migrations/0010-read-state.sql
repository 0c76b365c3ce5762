-- How many ranges were left when a block was last condensed: it is done again when they have grown to a multiple of that.
alter table read_state add column condensed int not null default 0;
-- Unread mentions of whole channels are looked for among few messages.
create index messages_channel_wildcard on messages (channel_id, id) where wildcard_mentions <> 0;
