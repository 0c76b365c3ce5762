import { peopleOf } from '../../../shared/resources/place.js'
import { topicKey } from '../../../shared/resources/topic.js'
import { openChannels } from './channels.js'
import type { ChatState } from './chat-state.js'
import { rankOf } from './completion.js'
import type { Narrow } from './narrow.js'
import { activePeople, personOf } from './people.js'
import { knownTopics } from './topics.js'

/** A place to go to. */
export interface JumpPlace {
  readonly narrow: Extract<Narrow, { kind: 'channel' | 'topic' | 'direct' }>
  /** What the typed words are compared with. */
  readonly name: string
}

const most = 12

/** The channel of `channel > topic`, as far as it is typed; the page then needs the topics of this channel. */
export function channelTyped(state: ChatState, words: string): number | undefined {
  const [name, ...rest] = words.split('>')
  if (rest.length === 0) return undefined
  return openChannels(state).find(channel => rankOf(channel.name, (name ?? '').trim()) === 0)?.stream_id
}

/**
 * Channels, topics, people and conversations for the typed words, the best first: names that begin with them, then names with a word
 * that does; among equals, those with something unread, and those that the user has subscribed to or written with. Without words:
 * places with unread messages, and conversations. `channel > topic` finds topics of one channel.
 */
export function jumpPlaces(state: ChatState, words: string): JumpPlace[] {
  const channelId = channelTyped(state, words)
  const wanted = (channelId === undefined ? words : words.slice(words.indexOf('>') + 1)).trim()
  const found: { place: JumpPlace; score: number }[] = []
  const consider = (place: JumpPlace, weight: number) => {
    const rank = rankOf(place.name, wanted)
    if (rank >= 0) found.push({ place, score: rank * 10 - weight })
  }
  for (const topic of knownTopics(state)) {
    if (channelId !== undefined && topic.channelId !== channelId) continue
    const unread = state.unread_msgs.channels[topic.channelId]?.[topicKey(topic.name)] ? 4 : 0
    if (wanted !== '' || unread > 0 || channelId !== undefined)
      consider(
        {
          narrow: { kind: 'topic', channelId: topic.channelId, topic: topic.name },
          name: topicNameOf(state, topic.name),
        },
        unread,
      )
  }
  if (channelId === undefined) {
    for (const channel of openChannels(state)) {
      const isOwn = state.subscriptions[channel.stream_id] !== undefined
      if (wanted !== '')
        consider({ narrow: { kind: 'channel', channelId: channel.stream_id }, name: channel.name }, isOwn ? 5 : 1)
    }
    considerDirect(state, wanted, consider)
  }
  return found
    .sort((a, b) => a.score - b.score)
    .slice(0, most)
    .map(({ place }) => place)
}

function considerDirect(state: ChatState, wanted: string, consider: (place: JumpPlace, weight: number) => void): void {
  const recent = state.recent_private_conversations
  const weightOf = (key: string) => (state.unread_msgs.direct[key] ? 6 : recent[key] !== undefined ? 3 : 0)
  const keys = new Set([...Object.keys(recent), ...Object.keys(state.unread_msgs.direct)])
  for (const key of keys) {
    const people = peopleOf(key)
    const name = people.map(id => personOf(state, id)?.full_name ?? '').join(', ')
    if (wanted === '' || people.length > 1) consider({ narrow: { kind: 'direct', key }, name }, weightOf(key))
  }
  if (wanted === '') return
  for (const person of activePeople(state)) {
    const key = String(person.user_id)
    consider({ narrow: { kind: 'direct', key }, name: person.full_name }, weightOf(key))
  }
}

const topicNameOf = (state: ChatState, topic: string): string => topic || state.realm_empty_topic_display_name
