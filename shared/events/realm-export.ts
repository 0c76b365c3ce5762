import { z } from 'zod'
import { realmExport as resource } from '../resources/realm-export.js'
import { defineEvent } from './event.js'

export const realmExport = defineEvent('realm_export', {
  doc: 'An export of the organization was requested, became ready, failed or was deleted: all exports. Administrators get it.',
  fields: z.object({ exports: z.array(resource) }),
})
