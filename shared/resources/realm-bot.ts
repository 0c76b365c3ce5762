import { z } from 'zod'

/** The settings of a bot that its owner and administrators may change. */
export const realmBot = z.object({
  user_id: z.int(),
  default_all_public_streams: z.boolean(),
  default_events_register_stream: z.string().nullable(),
  default_sending_stream: z.string().nullable(),
  services: z.array(z.never()),
})

export type RealmBotObject = z.output<typeof realmBot>
