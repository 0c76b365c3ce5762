import { topicKey } from '../resources/topic.js'
import { isTopicMuted } from '../resources/user-topic.js'

/** `unread_msgs` of the register answer. */
export interface UnreadMsgs {
  count: number
  pms: { other_user_id: number; sender_id: number; unread_message_ids: number[] }[]
  streams: { stream_id: number; topic: string; unread_message_ids: number[] }[]
  huddles: { user_ids_string: string; unread_message_ids: number[] }[]
  mentions: number[]
  old_unreads_missing: boolean
}

/** The place of an unread message. `userIds`: the other participants. */
export type UnreadPlace = { streamId: number; topic: string } | { userIds: readonly number[] }

interface Topics {
  subscriptions?: { stream_id: number; is_muted?: boolean }[]
  user_topics?: { stream_id: number; topic_name: string; visibility_policy: number }[]
}

/** Whether a topic is muted for the user: its own policy decides, otherwise the channel's setting. */
export function isMuted(state: Topics, streamId: number, topic: string): boolean {
  const key = topicKey(topic)
  const own = state.user_topics?.find(one => one.stream_id === streamId && topicKey(one.topic_name) === key)
  const channel = state.subscriptions?.find(one => one.stream_id === streamId)
  return isTopicMuted(own?.visibility_policy ?? 0, channel?.is_muted === true)
}

/**
 * Recomputes the count after a change of what is muted. `mentions` stays as it is: only the messages tell which of them
 * are wildcard mentions, which count only where the user has not muted; a client that shows mentions reads the
 * messages.
 */
export function recountUnread(state: Record<string, unknown>): void {
  const unread = state.unread_msgs as UnreadMsgs | undefined
  const { subscriptions, user_topics } = state as Topics
  // Without both lists the client cannot know what is muted; the server's count used both.
  if (!unread || !subscriptions || !user_topics) return
  const heard = unread.streams.filter(({ stream_id, topic }) => !isMuted(state as Topics, stream_id, topic))
  const places = [...unread.pms, ...unread.huddles, ...heard]
  unread.count = places.reduce((sum, place) => sum + place.unread_message_ids.length, 0)
}

const before = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)

/** Sorts the lists by their places, ids ascending. */
export function sortUnread(unread: UnreadMsgs): UnreadMsgs {
  unread.pms.sort((a, b) => a.other_user_id - b.other_user_id)
  unread.streams.sort((a, b) => a.stream_id - b.stream_id || before(topicKey(a.topic), topicKey(b.topic)))
  unread.huddles.sort((a, b) => before(a.user_ids_string, b.user_ids_string))
  unread.mentions.sort((a, b) => a - b)
  return unread
}

/** Adds a message to the unread ones, in the form of a register answer. */
export function addUnread(state: Record<string, unknown>, id: number, place: UnreadPlace, isMentioned: boolean): void {
  const unread = state.unread_msgs as UnreadMsgs | undefined
  if (!unread) return
  const ids = listOf(unread, place, state.user_id as number | undefined)
  if (ids.includes(id)) return
  ids.push(id)
  ids.sort((a, b) => a - b)
  if ('streamId' in place && ids.at(-1) === id) nameTopic(unread, place)
  if (!('streamId' in place) || !isMuted(state as Topics, place.streamId, place.topic)) unread.count++
  if (isMentioned && !unread.mentions.includes(id)) unread.mentions.push(id)
  sortUnread(unread)
}

/** The list shows a topic under the name that its newest message has. */
function nameTopic(unread: UnreadMsgs, { streamId, topic }: { streamId: number; topic: string }): void {
  for (const one of unread.streams) {
    if (one.stream_id === streamId && topicKey(one.topic) === topicKey(topic)) one.topic = topic
  }
}

function listOf(unread: UnreadMsgs, place: UnreadPlace, ownId: number | undefined): number[] {
  const unread_message_ids: number[] = []
  if ('streamId' in place) {
    const { streamId: stream_id, topic } = place
    const isIt = (one: UnreadMsgs['streams'][number]) =>
      one.stream_id === stream_id && topicKey(one.topic) === topicKey(topic)
    return foundOrAdded(unread.streams, isIt, { stream_id, topic, unread_message_ids })
  }
  if (place.userIds.length <= 1) {
    const other_user_id = place.userIds[0] ?? ownId ?? 0
    const made = { other_user_id, sender_id: other_user_id, unread_message_ids }
    return foundOrAdded(unread.pms, one => one.other_user_id === other_user_id, made)
  }
  const everybody = new Set([...place.userIds, ...(ownId === undefined ? [] : [ownId])])
  const user_ids_string = [...everybody].sort((a, b) => a - b).join(',')
  const made = { user_ids_string, unread_message_ids }
  return foundOrAdded(unread.huddles, one => one.user_ids_string === user_ids_string, made)
}

function foundOrAdded<Place extends { unread_message_ids: number[] }>(
  places: Place[],
  isIt: (place: Place) => boolean,
  made: Place,
): number[] {
  const found = places.find(isIt)
  if (!found) places.push(made)
  return (found ?? made).unread_message_ids
}

/** Removes messages that are read, deleted or no longer accessible. */
export function removeUnread(state: Record<string, unknown>, ids: ReadonlySet<number>): void {
  const unread = state.unread_msgs as UnreadMsgs | undefined
  if (!unread) return
  for (const { stream_id, topic, unread_message_ids } of unread.streams) {
    if (!isMuted(state as Topics, stream_id, topic)) unread.count -= unread_message_ids.filter(id => ids.has(id)).length
  }
  for (const { unread_message_ids } of [...unread.pms, ...unread.huddles]) {
    unread.count -= unread_message_ids.filter(id => ids.has(id)).length
  }
  const without = <Place extends { unread_message_ids: number[] }>(places: Place[]): Place[] =>
    places.flatMap(place => {
      const unread_message_ids = place.unread_message_ids.filter(id => !ids.has(id))
      return unread_message_ids.length > 0 ? [{ ...place, unread_message_ids }] : []
    })
  unread.streams = without(unread.streams)
  unread.pms = without(unread.pms)
  unread.huddles = without(unread.huddles)
  unread.mentions = unread.mentions.filter(id => !ids.has(id))
}

/** An edit may change who is mentioned. */
export function setMentioned(state: Record<string, unknown>, id: number, isMentioned: boolean): void {
  const unread = state.unread_msgs as UnreadMsgs | undefined
  if (!unread) return
  const places = [...unread.streams, ...unread.pms, ...unread.huddles]
  const others = unread.mentions.filter(one => one !== id)
  const counts = isMentioned && places.some(place => place.unread_message_ids.includes(id))
  unread.mentions = counts ? [...others, id].sort((a, b) => a - b) : others
}

/** Empties the lists, for mark_all_as_read. */
export function clearUnread(state: Record<string, unknown>): void {
  if (!state.unread_msgs) return
  state.unread_msgs = { count: 0, pms: [], streams: [], huddles: [], mentions: [], old_unreads_missing: false }
}

/** Moves the unread ones of these messages to another channel or topic. */
export function moveUnread(
  state: Record<string, unknown>,
  ids: ReadonlySet<number>,
  to: { streamId: number; topic: string },
): void {
  const unread = state.unread_msgs as UnreadMsgs | undefined
  if (!unread) return
  const moved = unread.streams.flatMap(place => place.unread_message_ids.filter(id => ids.has(id)))
  const mentions = new Set(unread.mentions)
  removeUnread(state, new Set(moved))
  for (const id of moved) addUnread(state, id, to, mentions.has(id))
}
