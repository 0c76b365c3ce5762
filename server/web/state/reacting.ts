import type { Reaction } from '../../../shared/resources/message.js'
import type { ChatState, LaterReaction, Message } from './chat-state.js'

/** An emoji, as reactions name it. */
export type Emoji = Omit<Reaction, 'user_id'>

// More than a person makes in hours; each costs a request.
const mostLater = 200

const isSame = (a: Emoji, b: Emoji): boolean => a.emoji_code === b.emoji_code && a.reaction_type === b.reaction_type

const isOf = (later: LaterReaction, messageId: number, emoji: Emoji): boolean =>
  later.messageId === messageId && isSame(later, emoji)

/** Whether the user has reacted so, as the server knows it. */
export const hasReacted = (state: ChatState, message: Message, emoji: Emoji): boolean =>
  message.reactions.some(one => one.user_id === state.user_id && isSame(one, emoji))

/** The reactions as the user sees them, with those that wait for a connection. */
export function reactionsOf(state: ChatState, message: Message): Message['reactions'] {
  const later = state.reacting.filter(({ messageId }) => messageId === message.id)
  if (later.length === 0) return message.reactions
  const kept = message.reactions.filter(one => one.user_id !== state.user_id || !later.some(own => isSame(own, one)))
  const added = later.flatMap(({ isAdded, emoji_name, emoji_code, reaction_type }) =>
    isAdded ? [{ emoji_name, emoji_code, reaction_type, user_id: state.user_id }] : [],
  )
  return [...kept, ...added]
}

/** Makes a reaction or takes it away, until the server can be asked. False: too many wait. */
export function reactLater(state: ChatState, message: Message, emoji: Emoji): boolean {
  const others = state.reacting.filter(one => !isOf(one, message.id, emoji))
  // The second time it is as the server has it.
  if (others.length < state.reacting.length) {
    state.reacting = others
    return true
  }
  if (others.length >= mostLater) return false
  const { emoji_name, emoji_code, reaction_type } = emoji
  const isAdded = !hasReacted(state, message, emoji)
  state.reacting = [...others, { messageId: message.id, emoji_name, emoji_code, reaction_type, isAdded }]
  return true
}

/** The server has it, or has refused it. */
export function forgetReaction(state: ChatState, { messageId, ...emoji }: LaterReaction): void {
  state.reacting = state.reacting.filter(one => !isOf(one, messageId, emoji))
}
