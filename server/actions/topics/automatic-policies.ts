import { type VisibilityPolicy, visibilityPolicy } from '../../../shared/resources/user-topic.js'
import { userSetting } from '../../policies/settings.js'
import type { UserRow } from '../../store/users/users.js'

const { inherit, muted, unmuted, followed } = visibilityPolicy

/**
 * What a user does in a topic. The numbers are those of automatically_follow_topics_policy and
 * automatically_unmute_topics_in_muted_streams_policy (docs/protocol/events.md#user_topic): a setting applies to the act with its number
 * and to those with a greater one. 4 is never.
 */
export const act = { participates: 1, sends: 2, starts: 3 } as const

type Act = (typeof act)[keyof typeof act]

/**
 * The visibility policy that a user's settings give a topic after the act; `inherit`: no change. Always `inherit` for bots. `isMuted`:
 * whether the user muted the channel.
 */
export function automaticPolicy(user: UserRow, isMuted: boolean, what: Act): VisibilityPolicy {
  if (user.is_bot) return inherit
  if (userSetting(user, 'automatically_follow_topics_policy') <= what) return followed
  return isMuted && userSetting(user, 'automatically_unmute_topics_in_muted_streams_policy') <= what ? unmuted : inherit
}

/** Whether the wanted policy replaces the present one: acts only raise a policy, so a followed topic stays followed. */
export const isRaised = (now: VisibilityPolicy, wanted: VisibilityPolicy): boolean =>
  wanted !== inherit && now !== wanted && now !== followed

/** Whether a mentioned user follows the topic from then on. A topic that the user muted stays muted (isFollowedByMention). */
export function followsWhenMentioned(user: UserRow | undefined): boolean {
  if (!user?.is_active || user.is_bot) return false
  return userSetting(user, 'automatically_follow_topics_where_mentioned')
}

export const isFollowedByMention = (now: VisibilityPolicy): boolean => now !== muted && now !== followed
