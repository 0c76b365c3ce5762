-- works with 0.1.0
-- Of a bot: the channel to which it writes where nothing else is said, and the server that gets messages to it.
alter table users add column default_sending_stream_id int, add column service jsonb;
