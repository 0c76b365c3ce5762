import type { EventOf } from '../../../shared/client/index.js'
import { applyStreamDelete } from '../../../shared/events/stream.js'
import { forgetChannelUnread } from '../../../shared/events/unread.js'
import { resolvedPrefix, topicKey } from '../../../shared/resources/topic.js'
import { visibilityPolicy } from '../../../shared/resources/user-topic.js'
import { channelOf } from './channels.js'
import type { ChatState, Topic } from './chat-state.js'

/** Records a message as the newest of its topic, if the channel's topics are known or being fetched. */
export function noteTopic(state: ChatState, channelId: number, name: string, id: number): void {
  const lists = state.topics[channelId] ? state.topics : state.lateTopics
  const topics = lists[channelId]
  if (!topics) return
  const key = topicKey(name)
  const known = topics.find(topic => topicKey(topic.name) === key)
  const changed: Topic = { name, max_id: Math.max(known?.max_id ?? 0, id) }
  const others = topics.filter(topic => topic !== known)
  lists[channelId] = [changed, ...others].sort((a, b) => b.max_id - a.max_id)
}

/** Notes that the topics of a channel are being fetched. */
export function awaitTopics(state: ChatState, channelId: number): void {
  state.lateTopics[channelId] ??= []
}

/**
 * Takes the list that the server has answered, with the messages that arrived meanwhile. Does nothing if messages were moved or deleted
 * meanwhile, because the list may be older.
 */
export function setTopics(state: ChatState, channelId: number, topics: readonly Topic[]): void {
  const late = state.lateTopics[channelId]
  if (!late) return
  delete state.lateTopics[channelId]
  state.topics[channelId] = topics.map(({ name, max_id }) => ({ name, max_id }))
  for (const { name, max_id } of late) noteTopic(state, channelId, name, max_id)
}

/** Only the server knows the topics of the channel now. */
export function forgetTopics(state: ChatState, channelId: number): void {
  delete state.topics[channelId]
  delete state.lateTopics[channelId]
}

/** `stream/delete`: channels that the user may no longer know of. */
export function channelsGone(state: ChatState, event: EventOf<'stream'> & { op: 'delete' }): void {
  applyStreamDelete(state, event)
  for (const id of event.stream_ids) {
    forgetChannelUnread(state, id)
    forgetTopics(state, id)
  }
}

export const isResolved = (topic: string): boolean => topic.startsWith(resolvedPrefix)

/** The name of a topic after it was resolved or reopened. */
export const toggleResolved = (topic: string): string =>
  isResolved(topic) ? topic.slice(resolvedPrefix.length) : resolvedPrefix + topic

export const isFollowed = (state: ChatState, channelId: number, topic: string): boolean =>
  state.user_topics[channelId]?.[topicKey(topic)]?.visibility_policy === visibilityPolicy.followed

/** Known topics of a channel whose name contains all the words, the newest first. */
export function findTopics(state: ChatState, channelId: number, words: string): Topic[] {
  const wanted = topicKey(words).split(/\s+/).filter(Boolean)
  return (state.topics[channelId] ?? []).filter(topic => {
    const name = topicKey(topic.name || state.realm_empty_topic_display_name)
    return wanted.every(word => name.includes(word))
  })
}

interface KnownTopic {
  readonly channelId: number
  readonly name: string
}

/** The topics that the page knows without a request: fetched lists, unread and followed topics, and those of known messages. */
export function knownTopics(state: ChatState): KnownTopic[] {
  const found = new Map<string, KnownTopic>()
  const note = (channelId: number, name: string) => {
    const key = `${channelId}/${topicKey(name)}`
    if (!found.has(key) && channelOf(state, channelId)) found.set(key, { channelId, name })
  }
  const messages = Object.values(state.messages)
  for (const { stream_id, subject } of messages) if (stream_id !== undefined) note(stream_id, subject)
  for (const [id, topics] of Object.entries(state.topics)) for (const { name } of topics) note(Number(id), name)
  for (const [id, topics] of Object.entries(state.unread_msgs.channels))
    for (const { name } of Object.values(topics)) note(Number(id), name)
  for (const [id, topics] of Object.entries(state.user_topics))
    for (const { topic_name } of Object.values(topics)) note(Number(id), topic_name)
  return [...found.values()]
}
