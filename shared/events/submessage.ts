import { z } from 'zod'
import { submessage } from '../resources/submessage.js'
import { defineEvent } from './event.js'

export const submessageEvent = defineEvent('submessage', {
  doc: 'A user acted on a poll, a to-do list or another widget.',
  fields: submessage.omit({ id: true }).extend({ submessage_id: z.int() }),
})
