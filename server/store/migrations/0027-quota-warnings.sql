-- works with 0.1.0
-- Of which share of a quota for files its people were warned last. User 0: the quota of the organization.
create table quota_warnings (
  user_id int primary key,
  percent int not null
);
