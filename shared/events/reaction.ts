import { z } from 'zod'
import { reaction } from '../resources/message.js'
import { defineEvent } from './event.js'

const fields = reaction.extend({
  message_id: z.int(),
  user: z
    .object({ user_id: z.int(), email: z.string(), full_name: z.string() })
    .describe('The user who reacted, for older clients.'),
})

export const reactionAdd = defineEvent('reaction/add', {
  doc: 'A user reacted to a message with an emoji.',
  fields,
})

export const reactionRemove = defineEvent('reaction/remove', {
  doc: 'A user removed its reaction from a message.',
  fields,
})
