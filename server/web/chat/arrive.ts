import { RequestError } from '../../../shared/client/index.js'
import { placeOf } from '../../../shared/resources/place.js'
import type { Target } from '../state/address.js'
import { channelOf } from '../state/channels.js'
import type { Message } from '../state/chat-state.js'
import { addressOf, narrowOfPlace, sameNarrow } from '../state/narrow.js'
import type { Chat } from './chat.js'
import { openView } from './history.js'
import type { View } from './view.js'

/**
 * Opens a view at the message that its address names, in the place where the message is now. False: it was deleted, or the user may
 * not see it; then the view is open where the message would be. @throws {RequestError}
 */
export async function arrive(chat: Chat, view: View, target: Target): Promise<boolean> {
  const { narrow, near } = target
  const isKnown = !('channelId' in narrow) || channelOf(chat.state, narrow.channelId) !== undefined
  const id = near ?? target.with
  if (isKnown && (near !== undefined || id === undefined)) {
    await openView(chat, narrow, near)
    if (near === undefined || chat.state.feeds[addressOf(narrow)]?.ids.includes(near)) return true
  }
  const message = await messageOf(chat, id as number)
  // The user has opened another view meanwhile.
  if (view.target() !== target) return true
  const place = message && narrowOfPlace(placeOf(message, chat.state.user_id))
  if (place && !sameNarrow(place, narrow)) {
    view.go(place, { isReplacing: true, ...(near !== undefined && { near }) })
    return true
  }
  if (near !== undefined) return false
  if (isKnown) await openView(chat, narrow)
  return true
}

/** Undefined: the server does not give it to the user. */
async function messageOf(chat: Chat, id: number): Promise<Message | undefined> {
  const known = chat.state.messages[id]
  if (known) return known
  try {
    const answer = await chat.ask('GET', `/messages/${id}`, { allow_empty_topic_name: true })
    return answer.message as Message
  } catch (error) {
    // The answer for a message that does not exist equals that for one that the user may not see.
    if (error instanceof RequestError && error.status === 400) return undefined
    throw error
  }
}
