-- works with 0.1.0
-- For the filters of the audit log; its rows are pruned, so the indexes are made in seconds.
create index audit_log_event on audit_log (event, id);
create index audit_log_user on audit_log ((subject -> 'user_id'), id) where subject ? 'user_id';
