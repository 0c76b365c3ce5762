-- works with 0.1.0
-- Keys of the header Idempotency-Key. A worker of an earlier release stores and finds keys without these columns.
alter table idempotency_keys
  -- Digest of the operation and its parameters. Null: the rest of a repeated request does not count.
  add column fingerprint uuid,
  -- JSON text of the fields of the answer. Null: the answer is the id of the message, or without a message was too long to be stored.
  add column answer text;
