import { type VisibilityPolicy, visibilityPolicy } from '../../shared/resources/user-topic.js'
import type { UserRow } from '../store/users.js'
import { userSetting } from './user-settings.js'

const { inherit, muted, unmuted, followed } = visibilityPolicy

/**
 * What somebody does in a topic. The numbers are those of automatically_follow_topics_policy and
 * automatically_unmute_topics_in_muted_streams_policy (docs/protocol/events.md#user_topic): a setting means its act and
 * those after it. 4: never.
 */
export const act = { participates: 1, sends: 2, starts: 3 } as const

export type Act = (typeof act)[keyof typeof act]

/**
 * What the user wants of a topic in which it does something; `inherit`: nothing special. Bots never do.
 * `isMuted`: whether the user muted the channel.
 */
export function automaticPolicy(user: UserRow, isMuted: boolean, what: Act): VisibilityPolicy {
  if (user.is_bot) return inherit
  if (userSetting(user, 'automatically_follow_topics_policy') <= what) return followed
  return isMuted && userSetting(user, 'automatically_unmute_topics_in_muted_streams_policy') <= what ? unmuted : inherit
}

/** Whether what somebody does only ever makes a topic louder: what is followed stays so. */
export const isRaised = (now: VisibilityPolicy, wanted: VisibilityPolicy): boolean =>
  wanted !== inherit && now !== wanted && now !== followed

/** Whoever is mentioned follows the topic from then on, unless it was muted on purpose. */
export function followsWhenMentioned(user: UserRow | undefined): boolean {
  if (!user?.is_active || user.is_bot) return false
  return userSetting(user, 'automatically_follow_topics_where_mentioned')
}

export const isFollowedByMention = (now: VisibilityPolicy): boolean => now !== muted && now !== followed
