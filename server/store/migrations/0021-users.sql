-- Rights that only the server's own command grants (admin user grant).
alter table users
  add column can_create_users boolean not null default false,
  add column can_change_user_emails boolean not null default false,
  -- Deactivated, and everything personal about it removed.
  add column is_deleted boolean not null default false,
  -- Has had a queue with all_public_streams: messages of public channels name it among their readers.
  add column reads_public_channels boolean not null default false;

-- Fields that the organization adds to its members' profiles. The values are in users.profile_data, by the field's id.
create table custom_profile_fields (
  id int primary key generated always as identity,
  -- 1 short text, 2 long text, 3 select, 4 date, 5 link, 6 users, 7 external account, 8 pronouns.
  type smallint not null check (type between 1 and 8),
  name text not null check (char_length(name) between 1 and 40),
  hint text not null default '' check (char_length(hint) <= 80),
  -- Select: key to {text, order}. External account: {subtype, url_pattern?}. All others: nothing.
  field_data jsonb,
  position int not null,
  required boolean not null default false,
  editable_by_user boolean not null default true,
  display_in_profile_summary boolean not null default false
);
create unique index custom_profile_fields_name on custom_profile_fields (lower(name));
