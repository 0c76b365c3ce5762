import { z } from 'zod'
import { setFactorRequirement } from '../../actions/factors/set-requirement.js'
import { word } from '../../params/schemas.js'
import { owners } from '../../policies/allow.js'
import { factorRequirements } from '../../policies/second-factors.js'
import { route } from '../route.js'

export const setSecondFactorRequirement = route({
  operation: 'set_second_factor_requirement',
  method: 'PATCH',
  path: '/realm/second_factors',
  doc: 'Sets who needs a second factor to sign in by password. Who has none sets one up at the next sign-in. Owners only.',
  allow: owners,
  params: z.object({ required_for: word(...factorRequirements).describe('Whose password alone is not enough.') }),
  returns: z.object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { required_for } }) {
    await setFactorRequirement(ctx, actor, required_for)
    return {}
  },
})
