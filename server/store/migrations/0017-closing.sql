-- works with 0.1.0
-- For the filters of the audit log; its rows are pruned, so the indexes are made in seconds.
create index audit_log_event on audit_log (event, id);
create index audit_log_user on audit_log ((subject -> 'user_id'), id) where subject ? 'user_id';

-- When the data of a deactivated organization are deleted; null: never.
alter table organization add column deletion_due timestamptz;
-- When they were deleted. The organization stays deactivated.
alter table organization add column deleted timestamptz;

-- The program knows what keys are for; `reactivation` activates the organization again.
alter table confirmations drop constraint confirmations_purpose_check;
