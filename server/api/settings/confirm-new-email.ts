import { z } from 'zod'
import { confirmEmailChange } from '../../actions/settings/email-change.js'
import { text } from '../../params/schemas.js'
import { route } from '../route.js'

export const confirmNewEmail = route({
  operation: 'confirm_new_email',
  method: 'GET',
  path: '/confirm_new_email/{key}',
  doc: 'Confirms a new address: the target of the link in the mail that `update_settings` sends to it. The account has this address from now on.',
  allow: 'anyone',
  params: z.object({ key: text().describe('The key in the link.') }),
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, params: { key } }) {
    await confirmEmailChange(ctx, key)
    return {}
  },
})
