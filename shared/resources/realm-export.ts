import { z } from 'zod'

/** An export of one person. Times are UNIX seconds. */
export const userExport = z.object({
  id: z.int(),
  export_time: z.int().describe('When it was requested.'),
  acting_user_id: z.int().describe('Who requested it.'),
  export_url: z.string().nullable().describe('Where the archive is; null while it is pending, failed or deleted.'),
  deleted_timestamp: z.int().nullable(),
  failed_timestamp: z.int().nullable(),
  pending: z.boolean().describe('The server is writing it.'),
})

/** An export of the organization that an administrator has requested. */
export const realmExport = z.object({
  ...userExport.shape,
  export_from_prior_server: z.boolean().describe('Always false.'),
  export_type: z.enum(['public', 'full_with_consent', 'full_without_consent']),
})

export type UserExport = z.output<typeof userExport>
export type RealmExport = z.output<typeof realmExport>
