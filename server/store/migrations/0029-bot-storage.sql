-- What bots keep for themselves. A key may be longer than what an index takes: its SHA-256 stands for it there.
create table bot_storage (
  bot_id int not null references users,
  key_hash bytea not null,
  key text not null,
  value text not null,
  primary key (bot_id, key_hash)
);

-- Characters of all of a bot's keys and values. Its row is locked by whoever changes them.
create table bot_storage_sizes (
  bot_id int primary key references users,
  characters bigint not null check (characters >= 0)
);
