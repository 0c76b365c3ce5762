import { z } from 'zod'
import { endReasons } from '../resources/streamed-message.js'
import { defineEvent } from './event.js'

const message_id = z.int()

const forReaders = <Payload extends object>(payload: Payload, view: { streamed_messages: boolean }): Payload | null =>
  view.streamed_messages ? payload : null

export const streamedMessageStart = defineEvent('streamed_message/start', {
  doc: 'A message grows from now on: its author appends pieces.',
  fields: z.object({ message_id, text: z.string().describe('The beginning, as the author sent it.') }),
  dependsOn: ['streamed_messages'],
  render: forReaders,
})

export const streamedMessageAppend = defineEvent('streamed_message/append', {
  doc: 'A piece was appended to a message that grows.',
  fields: z.object({
    message_id,
    position: z.int().describe('The length of the text before the piece, in code points.'),
    text: z.string().describe('The piece.'),
  }),
  dependsOn: ['streamed_messages'],
  render: forReaders,
})

export const streamedMessageEnd = defineEvent('streamed_message/end', {
  doc: 'A message grows no longer. Its whole text was in an `update_message` event before.',
  fields: z.object({
    message_id,
    reason: z.enum(endReasons),
    user_id: z.int().nullable().describe('Who ended it; null: the server.'),
  }),
  dependsOn: ['streamed_messages'],
  render: forReaders,
})
