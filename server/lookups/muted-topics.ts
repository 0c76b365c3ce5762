import type { MutedTopic } from '../../shared/resources/user-topic.js'
import type { Directory } from '../memory/directory.js'
import { knowsChannel } from '../policies/channel-permissions.js'
import type { ISql } from '../store/driver/db.js'
import { mutedTopics } from '../store/topics/user-topics.js'

/** Muted topics of each user, in channels that the user may know: this older list (muted_topics) contains the channels' names. */
export async function mutedTopicsByUser(
  sql: ISql,
  directory: Directory,
  userIds: readonly number[],
): Promise<Map<number, MutedTopic[]>> {
  const lists = new Map<number, MutedTopic[]>()
  for (const { user_id, channel_id, topic, last_updated, is_subscribed } of await mutedTopics(sql, userIds)) {
    const user = directory.users.get(user_id)
    const channel = directory.channels.get(channel_id)
    if (!user || !channel || !knowsChannel(directory, user, channel, is_subscribed)) continue
    const list = lists.get(user_id)
    const entry: MutedTopic = [channel.name, topic, Math.floor(last_updated.getTime() / 1000)]
    if (list) list.push(entry)
    else lists.set(user_id, [entry])
  }
  return lists
}
