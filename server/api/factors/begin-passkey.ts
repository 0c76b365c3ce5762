import { z } from 'zod'
import { beginPasskey as begin } from '../../actions/factors/passkeys.js'
import { requireProof } from '../../actions/factors/prove-identity.js'
import { anyHuman } from '../../policies/allow.js'
import { route } from '../route.js'
import { proof } from './params.js'

export const beginPasskey = route({
  operation: 'begin_passkey',
  method: 'POST',
  path: '/users/me/factors/passkeys/setup',
  doc: 'Returns what a browser needs to make a passkey. Nothing changes before `add_passkey`.',
  allow: anyHuman,
  params: z.object({ proof: proof() }),
  returns: z.object({
    options: z
      .looseObject({ challenge: z.string() })
      .describe(
        'The member `publicKey` of what `navigator.credentials.create` takes, as `PublicKeyCredential.parseCreationOptionsFromJSON` reads it; ten minutes.',
      ),
  }),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor: { user }, params }) {
    await requireProof(ctx, user, params.proof)
    return { options: await begin(ctx, user) }
  },
})
