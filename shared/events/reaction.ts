import type { Reaction } from '../resources/message.js'
import { defineEvent } from './event.js'

export interface ReactionPayload extends Reaction {
  readonly message_id: number
}

export const reactionAdd = defineEvent<ReactionPayload>('reaction/add', {
  doc: 'Somebody reacted to a message with an emoji.',
})

export const reactionRemove = defineEvent<ReactionPayload>('reaction/remove', {
  doc: 'Somebody took back a reaction.',
})
