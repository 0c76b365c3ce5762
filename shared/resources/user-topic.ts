import { z } from 'zod'
import { topicKey } from './topic.js'

/** A user's visibility policy for a topic. `inherit`: the channel's setting applies. */
export const visibilityPolicy = { inherit: 0, muted: 1, unmuted: 2, followed: 3 } as const

export type VisibilityPolicy = (typeof visibilityPolicy)[keyof typeof visibilityPolicy]

/** An entry of `user_topics` in a register answer; its policy is never `inherit` there. */
export const userTopic = z.object({
  stream_id: z.int(),
  topic_name: z.string(),
  last_updated: z.int().describe('UNIX seconds.'),
  visibility_policy: z.literal([0, 1, 2, 3]),
})

export type UserTopic = z.output<typeof userTopic>

/** An entry of the legacy list `muted_topics`: name of the channel, topic, UNIX seconds. */
export const mutedTopic = z.tuple([z.string(), z.string(), z.int()])

export type MutedTopic = z.output<typeof mutedTopic>

/** Whether a topic is muted for a user: its own policy decides, otherwise the channel's setting. */
export function isTopicMuted(policy: number, isChannelMuted: boolean): boolean {
  if (policy === visibilityPolicy.inherit) return isChannelMuted
  return policy === visibilityPolicy.muted
}

/** Sorts by channel, then by topic. */
export function sortUserTopics(topics: UserTopic[]): UserTopic[] {
  const key = ({ topic_name }: UserTopic): string => topicKey(topic_name)
  return topics.sort((a, b) => a.stream_id - b.stream_id || (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0))
}
