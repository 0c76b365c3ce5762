import { topicKey } from '../../../shared/resources/topic.js'
import type { ChatState, Topic, WireEvent } from './chat-state.js'
import { entry } from './entry.js'

/** A message in a topic: it is the newest of a channel whose topics are known. */
export function noteTopic(state: ChatState, channelId: number, name: string, id: number): void {
  const topics = state.topics[channelId]
  if (!topics) return
  const key = topicKey(name)
  const known = topics.find(topic => topicKey(topic.name) === key)
  const changed: Topic = { name, max_id: Math.max(known?.max_id ?? 0, id) }
  const others = topics.filter(topic => topic !== known)
  state.topics[channelId] = [changed, ...others].sort((a, b) => b.max_id - a.max_id)
}

/** The whole list, as the server tells it. */
export function setTopics(state: ChatState, channelId: number, topics: readonly Topic[]): void {
  state.topics[channelId] = topics.map(({ name, max_id }) => ({ name, max_id }))
}

/** `user_topic`: what the user wants of a topic; 0 is nothing special. */
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
