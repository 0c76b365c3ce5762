import { z } from 'zod'
import { defineEvent } from './event.js'

export const realmExportConsent = defineEvent('realm_export_consent', {
  doc: 'A user allowed exports of the organization to hold its private data, or no longer does.',
  fields: z.object({ user_id: z.int(), consented: z.boolean() }),
})
