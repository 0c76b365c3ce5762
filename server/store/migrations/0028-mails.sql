-- works with 0.1.0
-- When a user last got a digest, so that none comes twice.
create table sent_digests (
  user_id int primary key references users,
  at timestamptz not null
);

-- How many invitations an address, in lower case, was mailed on its last day with one, by all inviters. Rows of past days are removed.
create table invitation_mails (
  address text primary key,
  day date not null,
  mails int not null
);
create index invitation_mails_day on invitation_mails (day);
