-- works with 0.1.0
-- Messages that users send later. One that was sent has no row. Its job has the key 'scheduled message <id>'.
create table scheduled_messages (
  id int primary key generated always as identity,
  user_id int not null references users,
  -- Null: a direct message.
  channel_id int references channels,
  topic text not null check (char_length(topic) <= 60),
  -- Of a direct message the ids of its receivers; the sender is among them only if it is the only one.
  recipients int[] not null,
  content text not null check (char_length(content) between 1 and 10000),
  -- As it was when the message was scheduled or edited.
  rendered_content text not null,
  -- The files that it uses.
  file_ids int[] not null,
  -- The program that scheduled it, or edited it last.
  client text not null,
  read_by_sender boolean not null,
  due timestamptz not null,
  -- It was refused at its time, or that time was missed.
  failed boolean not null default false
);
create index scheduled_messages_user on scheduled_messages (user_id);
create index scheduled_messages_files on scheduled_messages using gin (file_ids) where file_ids <> '{}';

-- Messages of the notification bot that remind users of messages. One that was sent has no row. Its job has the key 'reminder <id>'.
create table reminders (
  id int primary key generated always as identity,
  user_id int not null references users,
  -- The message may be gone since.
  message_id bigint not null,
  note text not null check (char_length(note) <= 1000),
  -- As it was when the user asked for it.
  content text not null,
  rendered_content text not null,
  due timestamptz not null,
  failed boolean not null default false
);
create index reminders_user on reminders (user_id);
