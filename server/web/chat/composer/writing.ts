import { codePoints, limits } from '../../../../shared/limits.js'
import type { Place } from '../../../../shared/resources/place.js'
import type { ChatState } from '../../state/chat-state.js'
import type { Narrow } from '../../state/narrow.js'
import { placeOfNarrow } from '../../state/place.js'

/** The place that the composer of a view writes to; undefined: the view has none, or the topic is missing. */
export function placeWritten(narrow: Narrow, topic: string): Place | undefined {
  if (narrow.kind !== 'channel') return placeOfNarrow(narrow)
  return topic.trim() ? { channelId: narrow.channelId, topic: topic.trim() } : undefined
}

/** How many more characters a message may have; below 0 it is too long. */
export const charactersLeft = (text: string): number => limits.max_message_length - codePoints(text.trim())

/** What keeps a message from being sent; undefined: nothing. */
export function obstacleTo(content: string, to: Place | undefined): 'empty' | 'tooLong' | 'noPlace' | undefined {
  if (content === '') return 'empty'
  if (charactersLeft(content) < 0) return 'tooLong'
  return to ? undefined : 'noPlace'
}

/** What a key means for the whole message; undefined: it is a key of the text. */
export function composerAct(
  key: string,
  isNewLine: boolean,
  isEmpty: boolean,
): 'send' | 'editLast' | 'leave' | undefined {
  if (key === 'Enter' && !isNewLine) return 'send'
  if (key === 'ArrowUp' && isEmpty) return 'editLast'
  return key === 'Escape' ? 'leave' : undefined
}

/** The user's last message among those that a view knows. */
export const lastOwnMessage = (state: ChatState, address: string): number | undefined =>
  state.feeds[address]?.ids.findLast(id => state.messages[id]?.sender_id === state.user_id)
