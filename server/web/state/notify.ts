import { isMuted } from '../../../shared/events/unread.js'
import { isQuietAt } from '../../../shared/resources/do-not-disturb.js'
import { placeOf } from '../../../shared/resources/place.js'
import type { ChatState, Message } from './chat-state.js'
import { mentionFlags } from './place.js'
import { isFollowed } from './topics.js'

/** The settings that decide about each kind of alert: of the user, and of the user for one channel. */
const settings = {
  desktop: {
    direct: 'enable_desktop_notifications',
    followed: 'enable_followed_topic_desktop_notifications',
    channels: 'enable_stream_desktop_notifications',
    ofChannel: 'desktop_notifications',
  },
  sound: {
    direct: 'enable_sounds',
    followed: 'enable_followed_topic_audible_notifications',
    channels: 'enable_stream_audible_notifications',
    ofChannel: 'audible_notifications',
  },
} as const

/** Whether the user's settings want a desktop notification, or a sound, of a new message. `now` in ms. */
export function alerts(state: ChatState, message: Message, kind: keyof typeof settings, now = Date.now()): boolean {
  const { user_settings: own } = state
  const names = settings[kind]
  const has = (flag: string) => message.flags.includes(flag)
  // The server marks messages of muted users as read.
  if (message.sender_id === state.user_id || has('read')) return false
  if (isQuietAt(state.do_not_disturb, own.timezone, now)) return false
  const place = placeOf(message, state.user_id)
  if ('direct' in place || has('mentioned')) return own[names.direct]
  const { channelId, topic } = place
  const isHeard = !isMuted(state, channelId, topic)
  const channel = state.subscriptions[channelId]
  const follows = isFollowed(state, channelId, topic)
  const wildcardsCount = follows
    ? own.enable_followed_topic_wildcard_mentions_notify
    : (channel?.wildcard_mentions_notify ?? own.wildcard_mentions_notify)
  const isForUser = has('has_alert_word') || (wildcardsCount && message.flags.some(flag => mentionFlags.has(flag)))
  if (isForUser && isHeard && own[names.direct]) return true
  if (follows && own[names.followed]) return true
  if (!channel || !isHeard) return false
  return channel[names.ofChannel] ?? own[names.channels]
}
