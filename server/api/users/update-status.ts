import { z } from 'zod'
import { changeOwnStatus } from '../../actions/users/change-status.js'
import { boolean, json } from '../../params/schemas.js'
import { anyHuman } from '../../policies/allow.js'
import { route } from '../route.js'
import { noNewStatus, statusConditions, statusParams } from './status-params.js'

export const updateStatus = route({
  operation: 'update_status',
  method: 'POST',
  path: '/users/me/status',
  doc: 'Changes your status: a text, an emoji, or both. It stays until you change it, or until the time that you name.',
  allow: anyHuman,
  params: z.object({
    away: boolean()
      .optional()
      .describe('Deprecated: the opposite of the setting `presence_enabled`, which it changes.'),
    ...statusParams,
    expires_at: json(z.int().min(0).max(253_402_300_799).nullable())
      .optional()
      .describe(
        'When the status ends, in UNIX seconds: in the future. Null, or absent beside a text or an emoji: it stays. A parameter of this server alone.',
      ),
  }),
  requires: [
    ...statusConditions,
    {
      when: { expires_at: 'given' },
      anyOf: ['status_text', 'emoji_name'],
      refusal: 'Must provide a status with its end.',
    },
    { anyOf: ['status_text', 'emoji_name', 'away'], refusal: noNewStatus },
  ],
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params }) {
    await changeOwnStatus(ctx, actor, params)
    return {}
  },
})
