import { z } from 'zod'
import { anyHuman } from '../../policies/allow.js'
import { factorsOf } from '../../store/accounts/factors.js'
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
    recovery_codes: z.int().describe('How many recovery codes are left.'),
  }),
  errors: [],
  async handle({ ctx: { sql }, actor }) {
    const { app_created, recovery_codes } = await factorsOf(sql, actor.user.id)
    return { app: app_created && { created: Math.floor(app_created.getTime() / 1000) }, recovery_codes }
  },
})
