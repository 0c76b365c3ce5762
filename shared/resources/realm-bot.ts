import { z } from 'zod'
import { botTypes } from './user.js'

/** A bot as its owner and administrators see it; its API key is in no answer and no event. */
export const realmBot = z.object({
  user_id: z.int(),
  default_all_public_streams: z.boolean(),
  default_events_register_stream: z.string().nullable(),
  default_sending_stream: z.string().nullable(),
  services: z.array(z.never()),
  // Deprecated: the same as in the bot's entry of `realm_users`, for clients that expect whole records.
  avatar_url: z.string(),
  bot_type: z.int().meta({ enum: botTypes }).nullable(),
  email: z.string(),
  full_name: z.string(),
  is_active: z.boolean(),
  owner_id: z.int().nullable(),
})

export type RealmBotObject = z.output<typeof realmBot>
