import { z } from 'zod'
import { defineEvent } from './event.js'

export const realmExportConsent = defineEvent('realm_export_consent', {
  doc: 'A user changed whether exports of the organization may contain its private data.',
  fields: z.object({ user_id: z.int(), consented: z.boolean() }),
})
