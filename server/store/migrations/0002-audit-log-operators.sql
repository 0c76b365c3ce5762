-- works with 0.1.0
-- The operating system's user that ran an administration command; '' for all other changes.
alter table audit_log add column operator text not null default '';
