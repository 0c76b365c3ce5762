import { z } from 'zod'
import { botTypes } from './user.js'

/** The server that gets messages to an outgoing-webhook bot. */
const botService = z.object({
  base_url: z.string().describe('Where it gets them; empty: nowhere yet.'),
  interface: z.literal([1, 2]).describe('1: the form of this server; 2: the form of Slack.'),
  token: z.string().describe('By which that server knows this one.'),
})

/** A bot as its owner and administrators see it; its API key is in no answer and no event. */
export const realmBot = z.object({
  user_id: z.int(),
  default_all_public_streams: z.boolean(),
  default_events_register_stream: z.string().nullable(),
  default_sending_stream: z.string().nullable(),
  services: z.array(botService).describe('One for an outgoing webhook, else none.'),
  // Deprecated: the same as in the bot's entry of `realm_users`, for clients that expect whole records.
  avatar_url: z.string(),
  bot_type: z.int().meta({ enum: botTypes }).nullable(),
  email: z.string(),
  full_name: z.string(),
  is_active: z.boolean(),
  owner_id: z.int().nullable(),
})

export type RealmBotObject = z.output<typeof realmBot>
