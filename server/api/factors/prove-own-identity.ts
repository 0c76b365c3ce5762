import { z } from 'zod'
import { identityProof, requireIdentity } from '../../actions/factors/prove-identity.js'
import { text } from '../../params/schemas.js'
import { anyHuman } from '../../policies/allow.js'
import { route } from '../route.js'

export const proveOwnIdentity = route({
  operation: 'prove_own_identity',
  method: 'POST',
  path: '/users/me/factors/proof',
  doc: 'Returns a proof, with which you can change your second factors for ten minutes.',
  allow: anyHuman,
  params: z.object({
    password: text()
      .default('')
      .describe('Your password. Not needed in a session that began in the last ten minutes, and not by a password.'),
  }),
  returns: z.object({ proof: z.string() }),
  errors: ['BAD_REQUEST', 'RATE_LIMIT_HIT'],
  async handle({ ctx, actor, address, params: { password } }) {
    await requireIdentity(ctx, actor, { password, address })
    return { proof: await identityProof(ctx, actor.user) }
  },
})
