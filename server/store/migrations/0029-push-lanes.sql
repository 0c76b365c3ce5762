-- works with 0.1.0
-- Devices of which a push service answered slowly share no job with others until then; null: none has.
alter table push_devices add column slow_until timestamptz;
-- When a push last failed: failures that are days apart are no outage.
alter table push_devices add column failed_at timestamptz;
-- For the withdrawal of deleted messages.
create index pushed_messages_message on pushed_messages (message_id);
