import { z } from 'zod'
import { addPasskey as add } from '../../actions/factors/passkeys.js'
import { json } from '../../params/schemas.js'
import { anyHuman } from '../../policies/allow.js'
import { route } from '../route.js'
import { passkeyName } from './params.js'

// What the action reads of it has a schema of its own.
const mostMembers = 20
const credential = z
  .looseObject({ id: z.string().max(2000) })
  .refine(given => Object.keys(given).length <= mostMembers, `Too many members: at most ${mostMembers}.`)
  .meta({ maxProperties: mostMembers })

export const addPasskey = route({
  operation: 'add_passkey',
  method: 'POST',
  path: '/users/me/factors/passkeys',
  doc: 'Adds a passkey, with which you sign in from then on: alone, or after your password. The first second factor ends your other sessions.',
  allow: anyHuman,
  params: z.object({
    name: passkeyName().describe('How you tell it from others.'),
    credential: json(credential).describe('What `navigator.credentials.create` returned, as its `toJSON` writes it.'),
  }),
  returns: z.object({
    id: z.int(),
    recovery_codes: z.array(z.string()).describe('As those of `add_authenticator_app`.'),
  }),
  errors: ['BAD_REQUEST'],
  isAdministrative: true,
  isSecret: true,
  async handle({ ctx, actor: { user, sessionId }, params }) {
    const { id, codes } = await add(ctx, user, { ...params, sessionId })
    return { id, recovery_codes: codes }
  },
})
