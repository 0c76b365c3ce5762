-- works with 0.1.0
-- MiB that the files of the account may have; 0: no limit; null: as UPLOAD_QUOTA_USER_MIB says.
alter table users add column upload_quota_mib int check (upload_quota_mib >= 0);
create index users_upload_quota on users (id) where upload_quota_mib is not null;
