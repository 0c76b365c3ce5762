import { z } from 'zod'
import type { DeepReadonly } from './deep-readonly.js'

/** Types of custom profile fields: name on the wire, number, and display name. */
export const profileFieldTypes = {
  SHORT_TEXT: { id: 1, name: 'Text (short)' },
  LONG_TEXT: { id: 2, name: 'Text (long)' },
  SELECT: { id: 3, name: 'List of options' },
  DATE: { id: 4, name: 'Date' },
  URL: { id: 5, name: 'Link' },
  USER: { id: 6, name: 'Users' },
  EXTERNAL_ACCOUNT: { id: 7, name: 'External account' },
  PRONOUNS: { id: 8, name: 'Pronouns' },
} as const

export const profileFieldTypeIds = Object.values(profileFieldTypes).map(({ id }) => id)

/** External accounts that need no pattern of their own, by `subtype`; the server names such a field. */
export const externalAccounts = {
  github: { text: 'GitHub', name: 'GitHub username', hint: '', url_pattern: 'https://github.com/%(username)s' },
  twitter: { text: 'Twitter', name: 'Twitter username', hint: '', url_pattern: 'https://twitter.com/%(username)s' },
} as const

type ExternalAccount = (typeof externalAccounts)[keyof typeof externalAccounts]

/** Undefined: the field's own `url_pattern` counts. */
export const externalAccount = (subtype: unknown): ExternalAccount | undefined =>
  typeof subtype === 'string' && Object.hasOwn(externalAccounts, subtype)
    ? externalAccounts[subtype as keyof typeof externalAccounts]
    : undefined

export type ProfileFieldType = keyof typeof profileFieldTypes

/** Lengths in code points; `in_summary` is the largest number of fields in a profile's summary. */
export const profileFieldLimits = { name: 40, hint: 80, short_text: 50, long_text: 500, in_summary: 2 } as const

/** A custom profile field on the wire. */
export const profileField = z.object({
  id: z.int(),
  type: z.int().meta({ enum: profileFieldTypeIds }),
  name: z.string(),
  hint: z.string(),
  field_data: z.string().describe('JSON text, or empty.'),
  order: z.int(),
  required: z.boolean(),
  editable_by_user: z.boolean(),
  display_in_profile_summary: z.boolean(),
})

export type ProfileFieldObject = DeepReadonly<z.output<typeof profileField>>
