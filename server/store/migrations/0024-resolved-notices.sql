-- What everybody who received it counts as having read, so that no row per reader is written (I3): the notice that a topic
-- is resolved. Those who want to see it all the same have bit 64 in message_flags.
alter table messages add column read_by_all boolean not null default false;
