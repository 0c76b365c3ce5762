import { z } from 'zod'

/** A part of a widget: the first one says what the message began with, later ones what users did to it. */
export const submessage = z.object({
  id: z.int(),
  message_id: z.int(),
  sender_id: z.int(),
  msg_type: z.string().meta({ enum: ['widget'] }),
  content: z.string().describe('JSON text (docs/protocol/widgets.md).'),
})
export type Submessage = z.output<typeof submessage>
