import { z } from 'zod'

const ids = z.array(z.int())

/** `unread_msgs` of the register answer (docs/protocol/register.md#unread). */
export const unreadMsgs = z.object({
  count: z.int().describe('Without what is muted.'),
  pms: z.array(z.object({ other_user_id: z.int(), sender_id: z.int(), unread_message_ids: ids })),
  streams: z.array(z.object({ stream_id: z.int(), topic: z.string(), unread_message_ids: ids })),
  huddles: z.array(z.object({ user_ids_string: z.string(), unread_message_ids: ids })),
  mentions: ids,
  old_unreads_missing: z.boolean(),
})

export type UnreadMsgs = z.output<typeof unreadMsgs>
