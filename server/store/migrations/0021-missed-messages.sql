-- works with 0.1.0
-- Up to which message it is decided who is notified (server/actions/notify/). Messages from before notify no user. Workers of 0.1.0 decide
-- nothing: later ones decide for their messages, too.
create table notification_progress (
  id smallint primary key default 1 check (id = 1),
  message_id bigint not null
);
insert into notification_progress (message_id) select case when is_called then last_value else 0 end from messages_id_seq;

-- Messages of which a mail was or will be sent, so that no message is mailed twice.
create table missed_messages (
  user_id int not null,
  message_id bigint not null,
  -- Why, in the words of server/policies/notify-reason.ts.
  reason text not null,
  -- When a mail with the message was written, or found to be unnecessary; null: it waits.
  handled timestamptz,
  primary key (user_id, message_id)
);
create index missed_messages_handled on missed_messages (handled) where handled is not null;

-- Users with missed messages that wait. The job of the mail has the key 'missed messages <user_id>'.
create table missed_mails (
  user_id int primary key,
  -- When the first of the messages was decided: the batching period begins then.
  since timestamptz not null
);

-- Mentions that edits have added, until it is decided who is notified.
create table new_mentions (
  id bigint primary key generated always as identity,
  message_id bigint not null,
  -- The users that are newly mentioned, each with the new ones of the flags of message_flags.
  user_ids int[] not null,
  flags int[] not null,
  -- New ones of messages.wildcard_mentions.
  wildcard_mentions smallint not null,
  check (cardinality(user_ids) = cardinality(flags))
);

-- Subscribers who want notifications of all messages of a channel, whatever their settings for all channels say.
create index subscriptions_notified on subscriptions (channel_id) include (user_id)
  where is_active and (email_notifications or push_notifications);
