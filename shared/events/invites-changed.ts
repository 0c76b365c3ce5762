import { z } from 'zod'
import { defineEvent } from './event.js'

export const invitesChanged = defineEvent('invites_changed', {
  doc: 'Invitations were made, used or revoked: read them again. Administrators get it, and the account that made them.',
  fields: z.object({}),
})
