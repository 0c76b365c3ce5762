import { z } from 'zod'
import { type UserStatus, userStatus } from '../resources/user-status.js'
import type { ClientState } from './client-state.js'
import { defineEvent } from './event.js'

const fields = userStatus
  .extend({
    user_id: z.int(),
    expires_at: z
      .int()
      .nullable()
      .optional()
      .describe('When the status ends now, in UNIX seconds; null: it stays from now on.'),
  })
  .describe('The changed parts; an empty text, or an emoji with an empty name, is no longer set.')

export const userStatusEvent = defineEvent('user_status', {
  doc: 'A user changed its status, or an administrator changed it.',
  fields,
  changesDirectory: true,
  apply: applyUserStatus,
})

export function applyUserStatus({ user_status }: ClientState, event: z.output<typeof fields>): void {
  if (!user_status) return
  const { user_id, away, status_text, emoji_name, emoji_code, reaction_type, expires_at } = event
  const status: UserStatus = { ...user_status[user_id] }
  if (away !== undefined) status.away = away
  if (status_text !== undefined) status.status_text = status_text
  if (emoji_name !== undefined) Object.assign(status, { emoji_name, emoji_code, reaction_type })
  if (expires_at !== undefined) status.expires_at = expires_at ?? undefined
  if (!status.away) delete status.away
  if (!status.status_text) delete status.status_text
  if (!status.emoji_name) {
    delete status.emoji_name
    delete status.emoji_code
    delete status.reaction_type
  }
  if (status.expires_at === undefined) delete status.expires_at
  delete user_status[user_id]
  if (Object.keys(status).length > 0) user_status[user_id] = status
}
