import { z } from 'zod'
import { doNotDisturb } from '../../../shared/resources/do-not-disturb.js'
import { changeDoNotDisturb } from '../../actions/users/change-do-not-disturb.js'
import { json } from '../../params/schemas.js'
import { anyHuman } from '../../policies/allow.js'
import { route } from '../route.js'

const { until, quiet_hours } = doNotDisturb.shape

export const updateDoNotDisturb = route({
  operation: 'update_do_not_disturb',
  method: 'PATCH',
  path: '/users/me/do_not_disturb',
  doc: 'Sets when you want no notifications. What is absent stays. It is a part of this server alone.',
  allow: anyHuman,
  params: z.object({
    until: json(until.unwrap().min(0).max(253_402_300_799).nullable())
      .optional()
      .describe('Quiet until this time, in UNIX seconds: in the future. Null: it ends.'),
    quiet_hours: json(quiet_hours)
      .optional()
      .describe(quiet_hours.description ?? ''),
  }),
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params }) {
    await changeDoNotDisturb(ctx, actor, params)
    return {}
  },
})
