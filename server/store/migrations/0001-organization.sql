-- One organization lives in one schema. `version` rises, under its row lock, with every change of users, groups,
-- channels or settings; a row's own `version` is the value at its last change, so a cache can ask for what is newer.
create table organization (
  id smallint primary key default 1 check (id = 1),
  uuid uuid not null default gen_random_uuid(),
  name text not null default 'Parley',
  description text not null default '',
  -- Settings that differ from the defaults of the wire (`realm_*` without the prefix).
  settings jsonb not null default '{}',
  user_settings_defaults jsonb not null default '{}',
  is_active boolean not null default true,
  date_created timestamptz not null default now(),
  version bigint not null default 1
);
insert into organization default values;

create table users (
  id int primary key generated always as identity,
  delivery_email text not null,
  full_name text not null check (char_length(full_name) between 1 and 100),
  role smallint not null check (role in (100, 200, 300, 400, 600)),
  is_active boolean not null default true,
  is_bot boolean not null default false,
  bot_type smallint check (bot_type between 1 and 4),
  bot_owner_id int references users,
  is_system_bot boolean not null default false,
  -- 1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators (docs/users.md#two-addresses).
  email_address_visibility smallint not null default 1 check (email_address_visibility between 1 and 5),
  api_key text not null unique check (api_key ~ '^[A-Za-z0-9]{32}$'),
  password_hash text,
  timezone text not null default '',
  avatar_source text not null default 'G' check (avatar_source in ('G', 'J', 'U')),
  avatar_version int not null default 1,
  default_all_public_streams boolean not null default false,
  default_events_register_stream_id int,
  -- Personal settings that differ from the organization's defaults at the time of joining.
  settings jsonb not null default '{}',
  profile_data jsonb not null default '{}',
  date_joined timestamptz not null default now(),
  version bigint not null default 1,
  check (is_bot = (bot_type is not null))
);
create unique index users_delivery_email on users (lower(delivery_email));
create index users_version on users (version);
create index users_bot_owner on users (bot_owner_id) where bot_owner_id is not null;

-- Named groups, and nameless ones that hold a group-setting value of several members or groups.
-- Who is in a system group follows from users.role; such groups have no member rows.
create table user_groups (
  id int primary key generated always as identity,
  name text check (name is null or char_length(name) between 1 and 100),
  description text not null default '',
  is_system_group boolean not null default false,
  deactivated boolean not null default false,
  creator_id int references users,
  date_created timestamptz not null default now(),
  -- can_*_group of the group itself: setting name to group id.
  settings jsonb not null default '{}',
  version bigint not null default 1
);
create unique index user_groups_name on user_groups (lower(name)) where name is not null;
create index user_groups_version on user_groups (version);

create table user_group_members (
  group_id int not null references user_groups,
  user_id int not null references users,
  primary key (group_id, user_id)
);
create index user_group_members_user on user_group_members (user_id);

create table user_group_subgroups (
  group_id int not null references user_groups,
  subgroup_id int not null references user_groups,
  primary key (group_id, subgroup_id),
  check (group_id <> subgroup_id)
);

insert into user_groups (name, description, is_system_group) values
  ('role:internet', 'Everyone on the Internet', true),
  ('role:everyone', 'Everyone in this organization, including guests', true),
  ('role:members', 'Members of this organization, not including guests', true),
  ('role:fullmembers', 'Members of this organization, not including new accounts and guests', true),
  ('role:moderators', 'Moderators, administrators and owners of this organization', true),
  ('role:administrators', 'Administrators of this organization, including owners', true),
  ('role:owners', 'Owners of this organization', true),
  ('role:nobody', 'Nobody', true);
insert into user_group_subgroups (group_id, subgroup_id)
  select outside.id, inside.id
  from user_groups outside join user_groups inside on inside.id = outside.id + 1
  where inside.name <> 'role:nobody';
