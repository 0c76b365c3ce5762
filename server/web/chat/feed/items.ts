import { placeKey, placeOf } from '../../../../shared/resources/place.js'
import type { ChatState, Feed, Message } from '../../state/chat-state.js'
import { placeOfNarrow } from '../../state/place.js'

/**
 * The entries of a feed as strings, so that an unchanged entry stays equal: `day:1760000000` a new day, `place:17` a
 * new topic or conversation, `new:17` the line above the unread messages, `head:17` a message with its sender's name,
 * `tail:18` a message that continues the previous one, `unsent:a.1` one that is not confirmed yet.
 */
export type Item = string

/** After a longer interval, the sender's name is shown again. */
const togetherSeconds = 10 * 60

const dayOf = (timestamp: number): number => {
  const date = new Date(timestamp * 1000)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime() / 1000
}

export function itemsOf(state: ChatState, feed: Feed): Item[] {
  const items: Item[] = []
  const isOnePlace = placeOfNarrow(feed.narrow) !== undefined
  let before: Message | undefined
  for (const id of feed.ids) {
    const message = state.messages[id]
    if (!message) continue
    // Older messages of the same day may still load above the first known message, so it gets no day line yet.
    const isNewDay = before ? dayOf(before.timestamp) !== dayOf(message.timestamp) : feed.foundOldest
    const isNewPlace =
      !isOnePlace && (!before || isNewDay || placeOfMessage(state, before) !== placeOfMessage(state, message))
    if (isNewDay) items.push(`day:${dayOf(message.timestamp)}`)
    if (feed.unreadFrom === id) items.push(`new:${id}`)
    if (isNewPlace) items.push(`place:${id}`)
    const follows = before && !isNewDay && !isNewPlace && feed.unreadFrom !== id && isTogether(before, message)
    items.push(`${follows ? 'tail' : 'head'}:${id}`)
    before = message
  }
  return [...items, ...unsentItems(state, feed)]
}

const placeOfMessage = (state: ChatState, message: Message): string => placeKey(placeOf(message, state.user_id))

const isTogether = (before: Message, after: Message): boolean =>
  before.sender_id === after.sender_id &&
  Math.abs(after.timestamp - before.timestamp) < togetherSeconds &&
  !before.is_me_message &&
  !after.is_me_message

/** Unsent messages, at the end of the view that they were written in. */
function unsentItems(state: ChatState, feed: Feed): Item[] {
  if (!feed.foundNewest) return []
  const { narrow } = feed
  const place = placeOfNarrow(narrow)
  return state.outbox
    .filter(one => {
      if (place) return placeKey(place) === placeKey(one.place)
      return (
        narrow.kind === 'all' ||
        (narrow.kind === 'channel' && 'channelId' in one.place && one.place.channelId === narrow.channelId)
      )
    })
    .map(one => `unsent:${one.localId}`)
}
