import { defineEvent } from './event.js'

export const realmExportConsent = defineEvent<{ user_id: number; consented: boolean }>('realm_export_consent', {
  doc: 'A user allowed exports of the organization to hold its private data, or no longer does.',
})
