import { z } from 'zod'
import { changeOwnStatus } from '../../actions/users/change-status.js'
import { boolean } from '../../params/schemas.js'
import { anyHuman } from '../../policies/allow.js'
import { route } from '../route.js'
import { noNewStatus, statusConditions, statusParams } from './status-params.js'

export const updateStatus = route({
  operation: 'update_status',
  method: 'POST',
  path: '/users/me/status',
  doc: 'Changes your status: a text, an emoji, or both. It stays until you change it.',
  allow: anyHuman,
  params: z.object({
    away: boolean()
      .optional()
      .describe('Deprecated: the opposite of the setting `presence_enabled`, which it changes.'),
    ...statusParams,
  }),
  requires: [...statusConditions, { anyOf: ['status_text', 'emoji_name', 'away'], refusal: noNewStatus }],
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params }) {
    await changeOwnStatus(ctx, actor, params)
    return {}
  },
})
