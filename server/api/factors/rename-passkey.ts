import { z } from 'zod'
import { renamePasskey as rename } from '../../actions/factors/passkeys.js'
import { shortId } from '../../params/schemas.js'
import { anyHuman } from '../../policies/allow.js'
import { route } from '../route.js'
import { passkeyName } from './params.js'

export const renamePasskey = route({
  operation: 'rename_passkey',
  method: 'PATCH',
  path: '/users/me/factors/passkeys/{passkey_id}',
  doc: 'Renames one of your passkeys.',
  allow: anyHuman,
  params: z.object({
    passkey_id: shortId().describe('As `get_own_factors` lists it.'),
    name: passkeyName().describe('The new name.'),
  }),
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor: { user }, params: { passkey_id, name } }) {
    await rename(ctx, user.id, passkey_id, name)
    return {}
  },
})
