import { z } from 'zod'
import { reaction } from '../resources/message.js'
import { defineEvent } from './event.js'

const fields = reaction.extend({ message_id: z.int() })

export const reactionAdd = defineEvent('reaction/add', {
  doc: 'Somebody reacted to a message with an emoji.',
  fields,
})

export const reactionRemove = defineEvent('reaction/remove', {
  doc: 'Somebody took back a reaction.',
  fields,
})
