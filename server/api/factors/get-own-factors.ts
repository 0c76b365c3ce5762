import { z } from 'zod'
import { arePasskeysPossible } from '../../actions/factors/passkeys.js'
import { anyHuman } from '../../policies/allow.js'
import { factorRequirement, factorRequirements } from '../../policies/second-factors.js'
import { factorsOf } from '../../store/accounts/factors.js'
import { passkeysOf } from '../../store/accounts/passkeys.js'
import { route } from '../route.js'

export const getOwnFactors = route({
  operation: 'get_own_factors',
  method: 'GET',
  path: '/users/me/factors',
  doc: 'Lists your second factors: what you have to show beside your password.',
  allow: anyHuman,
  params: z.object({}),
  returns: z.object({
    app: z
      .object({ created: z.int().describe('UNIX seconds.') })
      .nullable()
      .describe('Your authenticator app; null: none.'),
    passkeys: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        created: z.int().describe('UNIX seconds.'),
        last_used: z.int().nullable().describe('UNIX seconds; null: never.'),
      }),
    ),
    passkeys_possible: z.boolean().describe('Whether browsers have passkeys for the address of this server.'),
    recovery_codes: z.int().describe('How many recovery codes are left.'),
    required_for: z.enum(factorRequirements).describe('Who needs a second factor in the organization.'),
  }),
  errors: [],
  async handle({ ctx, actor: { user } }) {
    const { app_created, recovery_codes } = await factorsOf(ctx.sql, user.id)
    const passkeys = await passkeysOf(ctx.sql, user.id)
    return {
      app: app_created && { created: seconds(app_created) },
      passkeys: passkeys.map(({ created, last_used, ...rest }) => ({
        ...rest,
        created: seconds(created),
        last_used: last_used && seconds(last_used),
      })),
      passkeys_possible: arePasskeysPossible(ctx),
      recovery_codes,
      required_for: factorRequirement(ctx.directory),
    }
  },
})

const seconds = (time: Date): number => Math.floor(time.getTime() / 1000)
