import type { Message } from '../../state/chat-state.js'
import type { Chat } from '../chat.js'

export interface Emoji {
  readonly emoji_name: string
  readonly emoji_code: string
  readonly reaction_type: string
}

/** Adds the user's reaction or removes it. The event changes the page; a refusal is shown. */
export async function toggleReaction(chat: Chat, message: Message, emoji: Emoji): Promise<void> {
  const { emoji_name, emoji_code, reaction_type } = emoji
  const isOwn = message.reactions.some(
    one => one.user_id === chat.state.user_id && one.emoji_code === emoji_code && one.reaction_type === reaction_type,
  )
  await chat
    .ask(isOwn ? 'DELETE' : 'POST', `/messages/${message.id}/reactions`, { emoji_name, emoji_code, reaction_type })
    .catch(chat.sayFailure)
}
