-- works with 0.1.0
-- Of a channel's address: how often the account has replaced it. Each has a token of its own.
alter table mail_addresses add column generation int not null default 0;
create index mail_addresses_channel on mail_addresses (channel_id, user_id) where purpose = 'channel';
