import { dmUrl, messageUrl } from '../../../shared/resources/hash-links.js'
import { peopleOf, placeOf } from '../../../shared/resources/place.js'
import { channelOf } from './channels.js'
import type { ChatState, Message } from './chat-state.js'

/** The address of a message, relative to the server's root, in the form that all clients read. */
export function messageLink(state: ChatState, message: Message): string {
  const place = placeOf(message, state.user_id)
  if ('direct' in place) return dmUrl([...peopleOf(place.direct), state.user_id], message.id)
  const channel = { stream_id: place.channelId, name: channelOf(state, place.channelId)?.name ?? '' }
  return messageUrl(channel, place.topic, message.id)
}

/**
 * A message quoted in the form that clients and the server's push notifications recognize: a silent mention, a link with the
 * text `said`, and a fence that is longer than each fence in the message. `link` is absolute, `source` the message's Markdown.
 */
export function quoteOf(sender: { name: string; id: number }, link: string, source: string): string {
  const longest = Math.max(2, ...[...source.matchAll(/^\s*(`{3,})/gm)].map(([, fence = '']) => fence.length))
  const fence = '`'.repeat(longest + 1)
  return `@_**${sender.name}|${sender.id}** [said](${link}):\n${fence}quote\n${source}\n${fence}\n`
}
