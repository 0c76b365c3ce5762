-- works with 0.1.0
-- Invitations by mail and links count apart.
create sequence invitation_ids as int;
create sequence invitation_link_ids as int;

-- Open invitations. One that was used or revoked has no row; one that has expired has none soon.
create table invitations (
  -- Of the link: 24 characters of base32. Not a digest, because lists show links, and a mail is sent again with its key.
  key text primary key check (key ~ '^[a-z2-7]{24}$'),
  id int not null,
  -- Null: a link for any number of people.
  email text,
  inviter_id int not null references users,
  role int not null,
  created timestamptz not null,
  -- Null: never.
  expires timestamptz,
  channel_ids int[] not null,
  group_ids int[] not null,
  with_default_channels boolean not null,
  notifies_inviter boolean not null,
  -- Null: the organization's.
  welcome_text text,
  -- When the invited person is reminded; null: never, or it was.
  remind_at timestamptz
);
create unique index invitations_id on invitations (id) where email is not null;
create unique index invitation_links_id on invitations (id) where email is null;
create index invitations_email on invitations (lower(email)) where email is not null;
create index invitations_inviter on invitations (inviter_id);
create index invitations_expires on invitations (expires) where expires is not null;
create index invitations_remind_at on invitations (remind_at) where remind_at is not null;
