import { topicKey } from '../../../shared/resources/topic.js'
import type { ChatState, Topic, WireEvent } from './chat-state.js'
import { entry } from './entry.js'

/** Records a message as the newest of its topic, if the channel's topics are known. */
export function noteTopic(state: ChatState, channelId: number, name: string, id: number): void {
  const topics = state.topics[channelId]
  if (!topics) return
  const key = topicKey(name)
  const known = topics.find(topic => topicKey(topic.name) === key)
  const changed: Topic = { name, max_id: Math.max(known?.max_id ?? 0, id) }
  const others = topics.filter(topic => topic !== known)
  state.topics[channelId] = [changed, ...others].sort((a, b) => b.max_id - a.max_id)
}

/** Replaces the list with the server's. */
export function setTopics(state: ChatState, channelId: number, topics: readonly Topic[]): void {
  state.topics[channelId] = topics.map(({ name, max_id }) => ({ name, max_id }))
}

/** `user_topic`: the user's visibility policy for a topic changed; 0 is none. */
export function topicPolicyChanged(state: ChatState, event: WireEvent): void {
  setTopicPolicy(state, event as unknown as { stream_id: number; topic_name: string; visibility_policy: number })
}

export function setTopicPolicy(
  state: ChatState,
  { stream_id, topic_name, visibility_policy }: { stream_id: number; topic_name: string; visibility_policy: number },
): void {
  const policies = entry<Record<string, number>>(state.topicPolicies, stream_id, () => ({}))
  if (visibility_policy === 0) delete policies[topicKey(topic_name)]
  else policies[topicKey(topic_name)] = visibility_policy
}
