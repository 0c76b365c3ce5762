-- works with 0.1.0
-- Addresses of this server to which people may send mail. The token in an address is derived from the organization's secret; only its digest is
-- here, because a reader of the table could use it.
create table mail_addresses (
  token_hash bytea primary key,
  -- reply: a mail becomes a message of the account in a conversation. channel: it becomes a message in a channel, its subject the topic.
  purpose text not null check (purpose in ('reply', 'channel')),
  -- The account that the address was made for. A message needs its permissions.
  user_id int not null references users,
  -- The account whose message a mail becomes; null: the email gateway bot's.
  sender_id int references users,
  -- Null: a direct message.
  channel_id int references channels,
  -- Of a reply to a channel.
  topic text not null default '',
  -- A message of the conversation: a reply follows it when its topic has moved. Null: none is known, or it may be gone.
  message_id bigint,
  -- Of a direct message the ids of its participants.
  people int[] not null default '{}',
  -- Null: never.
  expires timestamptz
);
create index mail_addresses_expires on mail_addresses (expires) where expires is not null;

-- Mails that were accepted: a mail server that sends one again gets the same answer, and nothing else happens.
create table received_mails (
  -- Digest of the address and the Message-ID.
  key bytea primary key,
  received timestamptz not null default now()
);
create index received_mails_received on received_mails (received);
