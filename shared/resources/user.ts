import { z } from 'zod'

export const roles = [100, 200, 300, 400, 600] as const
export const role = z.literal(roles)
/** 1: general; 2: incoming webhook; 3: outgoing webhook; 4: embedded. */
export const botTypes = [1, 2, 3, 4] as const

const profileValue = z.object({
  value: z.string(),
  rendered_value: z.string().optional().describe('HTML; only for field types with Markdown.'),
})

/** docs/protocol/conventions.md#users */
export const user = z.object({
  user_id: z.int(),
  email: z.string().describe('API email: the same for every caller.'),
  delivery_email: z.string().nullable().describe('Real address; null when the caller may not see it.'),
  full_name: z.string(),
  role: z.int().meta({ enum: roles }),
  is_owner: z.boolean(),
  is_admin: z.boolean().describe('True for owners too.'),
  is_guest: z.boolean(),
  is_bot: z.boolean(),
  bot_type: z.int().meta({ enum: botTypes }).nullable().optional(),
  bot_owner_id: z.int().nullable().optional(),
  is_system_bot: z.literal(true).optional(),
  timezone: z.string(),
  date_joined: z.string().describe('ISO 8601, to the minute; for spectators the date alone.'),
  avatar_version: z.int(),
  avatar_url: z.string().nullable().optional().describe('Null: the client computes it from delivery_email.'),
  is_imported_stub: z.boolean(),
  is_active: z.boolean().optional(),
  is_deleted: z.literal(true).optional().describe('Deactivated permanently, with its personal data removed.'),
  profile_data: z.record(z.string(), profileValue).optional(),
})

export type UserObject = z.infer<typeof user>
