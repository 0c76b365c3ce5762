import { z } from 'zod'
import { removePasskey as remove } from '../../actions/factors/passkeys.js'
import { requireProof } from '../../actions/factors/prove-identity.js'
import { shortId } from '../../params/schemas.js'
import { anyHuman } from '../../policies/allow.js'
import { route } from '../route.js'
import { proof } from './params.js'

export const removePasskey = route({
  operation: 'remove_passkey',
  method: 'DELETE',
  path: '/users/me/factors/passkeys/{passkey_id}',
  doc: 'Removes one of your passkeys.',
  allow: anyHuman,
  params: z.object({ passkey_id: shortId().describe('As `get_own_factors` lists it.'), proof: proof() }),
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  isAdministrative: true,
  async handle({ ctx, actor: { user }, params }) {
    await requireProof(ctx, user, params.proof)
    await remove(ctx, user.id, params.passkey_id)
    return {}
  },
})
