-- works with 0.1.0
-- A digest of the topic policies of a user: equal digests mean the same policies.
create function topic_policies(of_user int) returns text language sql stable as $$
  select md5(coalesce(string_agg(
    concat_ws(' ', channel_id, visibility_policy, extract(epoch from last_updated), topic), E'\n' order by channel_id, lower(topic)
  ), '')) from user_topics where user_id = of_user
$$;
-- The same after a statement has waited for a lock: a volatile function reads with a snapshot of its own, and the statement's own snapshot is
-- older than the lock (server/store/topics/own-policy.ts).
create function topic_policies_now(of_user int) returns text language plpgsql volatile as $$
begin
  return topic_policies(of_user);
end
$$;
