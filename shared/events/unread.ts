import type { Place } from '../resources/place.js'
import { topicKey } from '../resources/topic.js'
import { isTopicMuted } from '../resources/user-topic.js'
import type { ClientState, Unread } from './client-state.js'

/** Whether a topic is muted for the user: its own policy decides, otherwise the channel's setting. */
export function isMuted(state: ClientState, channelId: number, topic: string): boolean {
  const own = state.user_topics?.[channelId]?.[topicKey(topic)]
  return isTopicMuted(own?.visibility_policy ?? 0, state.subscriptions?.[channelId]?.is_muted === true)
}

/** Whether flags of a message mention the user: a wildcard mention counts only where the user has not muted. */
export function isMention(state: ClientState, flags: readonly string[], place: Place): boolean {
  if (flags.includes('mentioned')) return true
  return flags.includes('wildcard_mentioned') && ('direct' in place || !isMuted(state, place.channelId, place.topic))
}

/** Adds a message to the unread ones. */
export function addUnread(state: ClientState, id: number, place: Place, isMentioned: boolean): void {
  const unread = state.unread_msgs
  if (!unread) return
  if ('direct' in place) insertId(entry(unread.direct, place.direct, []), id)
  else {
    const topics = entry(unread.channels, place.channelId, {})
    const topic = entry(topics, topicKey(place.topic), { name: place.topic, ids: [] })
    insertId(topic.ids, id)
    if (topic.ids.at(-1) === id) topic.name = place.topic
  }
  if (isMentioned) insertId(unread.mentions, id)
}

/** Removes messages that are read, deleted or no longer visible. It searches only unread messages, which are few. */
export function removeUnread(state: ClientState, ids: ReadonlySet<number>): void {
  const unread = state.unread_msgs
  if (!unread) return
  const contains = (list: readonly number[]) => list.some(id => ids.has(id))
  const without = (list: readonly number[]) => list.filter(id => !ids.has(id))
  for (const [channelId, topics] of Object.entries(unread.channels)) {
    for (const [key, topic] of Object.entries(topics)) {
      if (!contains(topic.ids)) continue
      topic.ids = without(topic.ids)
      if (topic.ids.length === 0) delete topics[key]
    }
    if (Object.keys(topics).length === 0) delete unread.channels[Number(channelId)]
  }
  for (const [key, list] of Object.entries(unread.direct)) {
    if (!contains(list)) continue
    unread.direct[key] = without(list)
    if (unread.direct[key].length === 0) delete unread.direct[key]
  }
  if (contains(unread.mentions)) unread.mentions = without(unread.mentions)
}

/** Removes all, for mark_all_as_read. */
export function clearUnread(state: ClientState): void {
  if (state.unread_msgs) state.unread_msgs = { channels: {}, direct: {}, mentions: [] }
}

/** Removes the messages of a channel that the user has left. */
export function forgetChannelUnread(state: ClientState, channelId: number): void {
  const topics = Object.values(state.unread_msgs?.channels[channelId] ?? {})
  removeUnread(state, new Set(topics.flatMap(topic => topic.ids)))
}

/** An edit may change whether an unread message mentions the user. */
export function setMentioned(state: ClientState, id: number, isMentioned: boolean): void {
  const unread = state.unread_msgs
  if (!unread) return
  if (isMentioned && unreadIds(unread).includes(id)) insertId(unread.mentions, id)
  else if (!isMentioned && unread.mentions.includes(id)) unread.mentions = unread.mentions.filter(one => one !== id)
}

/** Moves the unread ones of these messages to another channel or topic. */
export function moveUnread(state: ClientState, ids: ReadonlySet<number>, to: Place): void {
  const unread = state.unread_msgs
  if (!unread) return
  const moved = unreadIds(unread).filter(id => ids.has(id))
  const mentions = new Set(unread.mentions)
  removeUnread(state, new Set(moved))
  for (const id of moved) addUnread(state, id, to, mentions.has(id))
}

/** The number of unread messages without those in muted topics and channels. */
export function unreadCount(state: ClientState): number {
  const { channels = {}, direct = {} } = state.unread_msgs ?? {}
  const ofChannels = Object.entries(channels).flatMap(([id, topics]) =>
    Object.values(topics).map(({ name, ids }) => (isMuted(state, Number(id), name) ? 0 : ids.length)),
  )
  return [...ofChannels, ...Object.values(direct).map(ids => ids.length)].reduce((sum, count) => sum + count, 0)
}

/** Inserts without duplicates into an ascending list; nearly always at the end. */
export function insertId(ids: number[], id: number): void {
  let at = ids.length
  while (at > 0 && (ids[at - 1] as number) > id) at--
  if (ids[at - 1] !== id) ids.splice(at, 0, id)
}

const unreadIds = ({ channels, direct }: Unread): number[] => [
  ...Object.values(channels).flatMap(topics => Object.values(topics).flatMap(topic => topic.ids)),
  ...Object.values(direct).flat(),
]

/** The entry of a record; adds a missing one. Read back, because a reactive store returns another object than it was given. */
function entry<Value>(record: Record<string | number, Value>, key: string | number, initial: Value): Value {
  if (record[key] === undefined) record[key] = initial
  return record[key]
}
