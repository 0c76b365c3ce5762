import { type MutedTopic, visibilityPolicy } from '../../shared/resources/user-topic.js'
import type { Directory } from '../memory/directory.js'
import { knowsChannel } from '../policies/channel-permissions.js'
import type { ISql } from '../store/driver/db.js'
import { type MutedTopicRow, mutedTopics, type UserTopicRow } from '../store/topics/user-topics.js'
import type { UserRow } from '../store/users/users.js'

/** Muted topics of each user, in channels that the user may know: this older list (muted_topics) contains the channels' names. */
export async function mutedTopicsByUser(
  sql: ISql,
  directory: Directory,
  userIds: readonly number[],
): Promise<Map<number, MutedTopic[]>> {
  const lists = new Map<number, MutedTopic[]>()
  for (const row of await mutedTopics(sql, userIds)) {
    const entry = entryOf(directory, directory.users.get(row.user_id), row)
    if (!entry) continue
    const list = lists.get(row.user_id)
    if (list) list.push(entry)
    else lists.set(row.user_id, [entry])
  }
  return lists
}

/** The same of one user, among all its policies. */
export function mutedTopicsAmong(directory: Directory, user: UserRow, rows: readonly UserTopicRow[]): MutedTopic[] {
  return rows
    .filter(row => row.visibility_policy === visibilityPolicy.muted)
    .map(row => entryOf(directory, user, row))
    .filter(entry => entry !== undefined)
}

/** Undefined: the user may not know the channel. */
function entryOf(
  directory: Directory,
  user: UserRow | undefined,
  { channel_id, topic, last_updated, is_subscribed }: Omit<MutedTopicRow, 'user_id'>,
): MutedTopic | undefined {
  const channel = directory.channels.get(channel_id)
  if (!user || !channel || !knowsChannel(directory, user, channel, is_subscribed)) return undefined
  return [channel.name, topic, last_updated]
}
