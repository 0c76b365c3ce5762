-- What users want of single topics. Spellings that differ in case are one topic; `topic` is the one of the last change.
create table user_topics (
  user_id int not null references users,
  channel_id int not null references channels,
  topic text not null check (char_length(topic) <= 60),
  -- 1 muted, 2 unmuted, 3 followed. To want nothing special is to have no row.
  visibility_policy smallint not null check (visibility_policy between 1 and 3),
  last_updated timestamptz not null
);
create unique index user_topics_key on user_topics (user_id, channel_id, lower(topic));
create index user_topics_topic on user_topics (channel_id, lower(topic));

-- Who muted a channel is remembered along with its list of subscribers: whoever writes in a muted channel may want to
-- hear of the topic from then on, and a message must not cost a question about that. So the list is another one when
-- somebody mutes or unmutes the channel, whichever statement did it.
create function subscribers_changed() returns trigger language plpgsql as $$
begin
  update channels set subscribers_version = subscribers_version + 1 where id = new.channel_id;
  return null;
end
$$;
create trigger subscriptions_muted after update of is_muted on subscriptions
  for each row when (old.is_muted is distinct from new.is_muted) execute function subscribers_changed();
