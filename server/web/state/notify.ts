import { isMuted } from '../../../shared/events/unread.js'
import { placeOf } from '../../../shared/resources/place.js'
import type { ChatState, Message } from './chat-state.js'
import { mentionFlags } from './place.js'
import { isFollowed } from './topics.js'

/** Whether the user's settings want a desktop notification of a new message. */
export function notifies(state: ChatState, message: Message): boolean {
  const { user_settings: own } = state
  const has = (flag: string) => message.flags.includes(flag)
  // The server marks messages of muted users as read.
  if (message.sender_id === state.user_id || has('read')) return false
  const place = placeOf(message, state.user_id)
  if ('direct' in place || has('mentioned')) return own.enable_desktop_notifications
  const { channelId, topic } = place
  const isHeard = !isMuted(state, channelId, topic)
  const channel = state.subscriptions[channelId]
  const follows = isFollowed(state, channelId, topic)
  const wildcardsCount = follows
    ? own.enable_followed_topic_wildcard_mentions_notify
    : (channel?.wildcard_mentions_notify ?? own.wildcard_mentions_notify)
  const isForUser = has('has_alert_word') || (wildcardsCount && message.flags.some(flag => mentionFlags.has(flag)))
  if (isForUser && isHeard && own.enable_desktop_notifications) return true
  if (follows && own.enable_followed_topic_desktop_notifications) return true
  if (!channel || !isHeard) return false
  return channel.desktop_notifications ?? own.enable_stream_desktop_notifications
}
