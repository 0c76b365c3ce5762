import type { UserRow } from '../store/users/users.js'
import { userSetting } from './settings.js'

/** Why a user is notified of a message. */
export type NotifyReason =
  | 'direct_message'
  | 'mention'
  | 'topic_wildcard_in_followed_topic'
  | 'channel_wildcard_in_followed_topic'
  | 'topic_wildcard'
  | 'channel_wildcard'
  | 'followed_topic'
  | 'channel'

/** The two ways in which a user who is away is notified. */
export type NotifyWay = 'email' | 'push'

/** A message as its reader sees it: how it names the reader, and what the reader has set for its place. */
export interface NotifyFacts {
  readonly isDirect: boolean
  readonly isMentioned: boolean
  readonly mentionsTopic: boolean
  readonly mentionsChannel: boolean
  /** Visibility policy of the topic: 1 muted, 2 unmuted, 3 followed; null: none. */
  readonly policy: number | null
  readonly isChannelMuted: boolean
  /** Settings of the subscription; null: as the account. */
  readonly ofChannel: Readonly<Record<NotifyWay | 'wildcard', boolean | null>>
}

const settings = {
  email: {
    all: 'enable_offline_email_notifications',
    followed: 'enable_followed_topic_email_notifications',
    channel: 'enable_stream_email_notifications',
  },
  push: {
    all: 'enable_offline_push_notifications',
    followed: 'enable_followed_topic_push_notifications',
    channel: 'enable_stream_push_notifications',
  },
} as const

/** Whether the user wants notifications of this kind for messages of channels without a setting of their own. */
export const wantsChannels = (user: UserRow, way: NotifyWay): boolean =>
  userSetting(user, settings[way].all) && userSetting(user, settings[way].channel)

/** Why the settings of the user ask for a notification of the message; null: they do not (docs/protocol/notifications.md). */
export function notifyReason(user: UserRow, way: NotifyWay, facts: NotifyFacts): NotifyReason | null {
  const names = settings[way]
  if (!userSetting(user, names.all)) return null
  if (facts.isDirect) return 'direct_message'
  if (facts.isMentioned) return 'mention'
  const isFollowed = facts.policy === 3
  if (isFollowed && userSetting(user, 'enable_followed_topic_wildcard_mentions_notify')) {
    if (facts.mentionsTopic) return 'topic_wildcard_in_followed_topic'
    if (facts.mentionsChannel) return 'channel_wildcard_in_followed_topic'
  }
  if (facts.ofChannel.wildcard ?? userSetting(user, 'wildcard_mentions_notify')) {
    if (facts.mentionsTopic) return 'topic_wildcard'
    if (facts.mentionsChannel) return 'channel_wildcard'
  }
  if (isFollowed && userSetting(user, names.followed)) return 'followed_topic'
  if (facts.policy === 1 || (facts.isChannelMuted && facts.policy === null)) return null
  return (facts.ofChannel[way] ?? userSetting(user, names.channel)) ? 'channel' : null
}
