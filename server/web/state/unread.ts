import { isMuted, unreadCount } from '../../../shared/events/unread.js'
import { topicKey } from '../../../shared/resources/topic.js'
import type { ChatState } from './chat-state.js'
import type { Narrow } from './narrow.js'
import { isFollowed } from './topics.js'

export const unreadOfTopic = (state: ChatState, channelId: number, topic: string): number =>
  state.unread_msgs.channels[channelId]?.[topicKey(topic)]?.ids.length ?? 0

/** Unread messages of a channel without muted topics; of a muted channel all, which the page shows less prominently. */
export function unreadOfChannel(state: ChatState, channelId: number): number {
  const quiet = state.subscriptions[channelId]?.is_muted === true
  const topics = Object.values(state.unread_msgs.channels[channelId] ?? {})
  return topics.reduce((sum, { name, ids }) => sum + (quiet || !isMuted(state, channelId, name) ? ids.length : 0), 0)
}

/** How many unread messages the user wants to be counted in the title and on the icons of the page. */
export function badgeCount(state: ChatState): number {
  const { desktop_icon_count_display: counted } = state.user_settings
  if (counted === 4) return 0
  if (counted !== 2 && counted !== 3) return unreadCount(state)
  const { channels, direct, mentions } = state.unread_msgs
  const ids = new Set([...Object.values(direct).flat(), ...mentions])
  if (counted === 3) return ids.size
  const followed = Object.entries(channels).flatMap(([channelId, topics]) =>
    Object.values(topics).flatMap(topic => (isFollowed(state, Number(channelId), topic.name) ? topic.ids : [])),
  )
  return new Set([...ids, ...followed]).size
}

/** The unread messages of a view; of all messages also those of muted places. */
export function unreadIdsOf({ unread_msgs: { channels, direct } }: ChatState, narrow: Narrow): number[] {
  const ofChannel = (id: number) => Object.values(channels[id] ?? {}).flatMap(topic => topic.ids)
  switch (narrow.kind) {
    case 'all':
      return [...Object.keys(channels).flatMap(id => ofChannel(Number(id))), ...Object.values(direct).flat()]
    case 'channel':
      return ofChannel(narrow.channelId)
    case 'topic':
      return [...(channels[narrow.channelId]?.[topicKey(narrow.topic)]?.ids ?? [])]
    case 'direct':
      return [...(direct[narrow.key] ?? [])]
    default:
      return []
  }
}
