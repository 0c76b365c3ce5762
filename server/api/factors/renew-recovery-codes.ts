import { z } from 'zod'
import { requireProof } from '../../actions/factors/prove-identity.js'
import { renewRecoveryCodes as renew } from '../../actions/factors/remove-factors.js'
import { anyHuman } from '../../policies/allow.js'
import { route } from '../route.js'
import { proof } from './params.js'

export const renewRecoveryCodes = route({
  operation: 'renew_recovery_codes',
  method: 'POST',
  path: '/users/me/factors/recovery_codes',
  doc: 'Returns ten new recovery codes. The former ones are not valid any more.',
  allow: anyHuman,
  params: z.object({ proof: proof() }),
  returns: z.object({ recovery_codes: z.array(z.string()) }),
  errors: ['BAD_REQUEST'],
  isAdministrative: true,
  isSecret: true,
  async handle({ ctx, actor: { user }, params }) {
    await requireProof(ctx, user, params.proof)
    return { recovery_codes: await renew(ctx, user.id) }
  },
})
