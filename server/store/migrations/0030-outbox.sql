-- Rows come and go within seconds: what is written for each of them counts, not how they are kept.

-- The few rows there are get looked through by id.
drop index outbox_created;

-- No attempt to compress an event whose audience makes it longer than 2 kB: that costs more than the insert.
alter table outbox alter column entry set storage external;
alter table outbox set (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);

-- The writer of messages empties the list of new words itself, beside the sends, long before it is so full (in kB).
alter index messages_search set (gin_pending_list_limit = 16384);
