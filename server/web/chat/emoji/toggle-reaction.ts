import { RequestError } from '../../../../shared/client/index.js'
import { t } from '../../language/language.js'
import type { Message } from '../../state/chat-state.js'
import { type Emoji, hasReacted, reactLater } from '../../state/reacting.js'
import type { Chat } from '../chat.js'

/** Adds the user's reaction or removes it: the event changes the page. Without a connection it waits for one. A refusal is shown. */
export async function toggleReaction(chat: Chat, message: Message, emoji: Emoji): Promise<void> {
  const later = () =>
    chat.change(state => {
      if (!reactLater(state, message, emoji)) chat.say(t('message.tooManyReactions'), 'bad')
    })
  if (chat.phase() !== 'live') return later()
  try {
    await askReaction(chat, message.id, emoji, !hasReacted(chat.state, message, emoji))
  } catch (error) {
    if (error instanceof RequestError && error.code === 'NOT_CONNECTED') later()
    else chat.sayFailure(error)
  }
}

/** @throws {RequestError} */
export const askReaction = (
  { ask }: Chat,
  messageId: number,
  { emoji_name, emoji_code, reaction_type }: Emoji,
  isAdded: boolean,
): Promise<unknown> =>
  ask(isAdded ? 'POST' : 'DELETE', `/messages/${messageId}/reactions`, { emoji_name, emoji_code, reaction_type })
