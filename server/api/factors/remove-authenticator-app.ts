import { z } from 'zod'
import { removeApp } from '../../actions/factors/authenticator-app.js'
import { requireProof } from '../../actions/factors/prove-identity.js'
import { anyHuman } from '../../policies/allow.js'
import { route } from '../route.js'
import { proof } from './params.js'

export const removeAuthenticatorApp = route({
  operation: 'remove_authenticator_app',
  method: 'DELETE',
  path: '/users/me/factors/app',
  doc: 'Removes your authenticator app.',
  allow: anyHuman,
  params: z.object({ proof: proof() }),
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  isAdministrative: true,
  async handle({ ctx, actor: { user }, params }) {
    await requireProof(ctx, user, params.proof)
    await removeApp(ctx, user.id)
    return {}
  },
})
