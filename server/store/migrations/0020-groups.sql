-- Up to when members' waiting period has been counted. Who had waited long enough by then is a full member; moved on, with
-- the events that tell of it, whenever somebody's time is over.
alter table organization add column full_members_as_of timestamptz not null default now();

-- Names of groups are unique by the letter, deactivated groups included.
drop index user_groups_name;
create unique index user_groups_name on user_groups (name) where name is not null;

-- Which groups a group is part of.
create index user_group_subgroups_subgroup on user_group_subgroups (subgroup_id);
