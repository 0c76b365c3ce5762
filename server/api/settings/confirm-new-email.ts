import { z } from 'zod'
import { confirmEmailChange } from '../../actions/settings/email-change.js'
import { text } from '../../params/schemas.js'
import { route } from '../route.js'

export const confirmNewEmail = route({
  operation: 'confirm_new_email',
  method: 'GET',
  path: '/confirm_new_email/{key}',
  doc: 'Where the link of the mail leads that update_settings sends to a new address: from now on it is the one of the account.',
  allow: 'anyone',
  params: z.object({ key: text().describe('As the mail has it.') }),
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, params: { key } }) {
    await confirmEmailChange(ctx, key)
    return {}
  },
})
