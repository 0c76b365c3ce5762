import { topicKey } from '../../../shared/resources/topic.js'
import type { ChatState } from './chat-state.js'
import { entry } from './entry.js'
import { insert } from './feeds.js'
import { isMuted, type Place } from './place.js'

export function addUnread(state: ChatState, id: number, place: Place, isMention: boolean): void {
  const { unread } = state
  if ('direct' in place)
    insert(
      entry(unread.direct, place.direct, () => []),
      id,
    )
  else {
    const topics = entry(unread.channels, place.channelId, () => ({}))
    const topic = entry(topics, topicKey(place.topic), () => ({ name: place.topic, ids: [] }))
    topic.name = place.topic
    insert(topic.ids, id)
  }
  if (isMention) insert(unread.mentions, id)
}

/** Removes messages that are read, deleted or no longer visible. It searches only unread messages, which are few. */
export function removeUnread(state: ChatState, ids: ReadonlySet<number>): void {
  const { unread } = state
  const holds = (list: readonly number[]) => list.some(id => ids.has(id))
  const left = (list: readonly number[]) => list.filter(id => !ids.has(id))
  for (const [channelId, topics] of Object.entries(unread.channels)) {
    for (const [key, topic] of Object.entries(topics)) {
      if (!holds(topic.ids)) continue
      topic.ids = left(topic.ids)
      if (topic.ids.length === 0) delete topics[key]
    }
    if (Object.keys(topics).length === 0) delete unread.channels[Number(channelId)]
  }
  for (const [key, list] of Object.entries(unread.direct)) {
    if (!holds(list)) continue
    unread.direct[key] = left(list)
    if (unread.direct[key].length === 0) delete unread.direct[key]
  }
  if (holds(unread.mentions)) unread.mentions = left(unread.mentions)
}

export function clearUnread(state: ChatState): void {
  state.unread = { channels: {}, direct: {}, mentions: [] }
}

export const unreadOfTopic = (state: ChatState, channelId: number, topic: string): number =>
  state.unread.channels[channelId]?.[topicKey(topic)]?.ids.length ?? 0

/** Unread messages of a channel without muted topics; of a muted channel all, which the page shows less prominently. */
export function unreadOfChannel(state: ChatState, channelId: number): number {
  const quiet = state.subscriptions[channelId]?.is_muted === true
  const topics = Object.values(state.unread.channels[channelId] ?? {})
  return topics.reduce((sum, { name, ids }) => sum + (quiet || !isMuted(state, channelId, name) ? ids.length : 0), 0)
}

export function unreadOfAll(state: ChatState): number {
  const ofChannels = Object.entries(state.unread.channels).flatMap(([id, topics]) =>
    Object.values(topics).map(({ name, ids }) => (isMuted(state, Number(id), name) ? 0 : ids.length)),
  )
  const direct = Object.values(state.unread.direct).map(ids => ids.length)
  return [...ofChannels, ...direct].reduce((sum, count) => sum + count, 0)
}
