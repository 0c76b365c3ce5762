import { z } from 'zod'
import { userSettings } from '../../../shared/resources/user-settings.js'
import { administrators } from '../../policies/allow.js'
import { userSetting } from '../../policies/settings.js'
import { route } from '../route.js'

export const getExportConsents = route({
  operation: 'get_export_consents',
  method: 'GET',
  path: '/export/realm/consents',
  doc: 'Which people agreed that exports of the organization may contain their private data. Administrators only.',
  allow: administrators,
  params: z.object({}),
  returns: z.object({
    export_consents: z
      .array(
        z.object({
          user_id: z.int(),
          consented: z.boolean(),
          email_address_visibility: userSettings.shape.email_address_visibility.unwrap(),
        }),
      )
      .describe('All active people, by id.'),
  }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  isAdministrative: true,
  async handle({ ctx: { directory } }) {
    await directory.fresh()
    const people = [...directory.users.values()].filter(user => user.is_active && !user.is_bot)
    return {
      export_consents: people
        .map(user => ({
          user_id: user.id,
          consented: userSetting(user, 'allow_private_data_export'),
          email_address_visibility: user.email_address_visibility,
        }))
        .sort((a, b) => a.user_id - b.user_id),
    }
  },
})
