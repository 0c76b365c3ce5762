import { z } from 'zod'
import { limits } from '../../../shared/limits.js'
import { lastDays, reportPresence } from '../../actions/presence.js'
import { boolean, integer, word } from '../../params/schemas.js'
import { anyHuman } from '../../policies/allow.js'
import { route } from '../route.js'
import { legacyPresences, modernPresences } from './forms.js'

export const updateOwnPresence = route({
  operation: 'update_own_presence',
  method: 'POST',
  path: '/users/me/presence',
  doc:
    'Reports your presence, and returns the presence of others. Users who hide their presence are left out. A guest who may ' +
    'not see all users learns the presence of a user who became visible with the next report of that user.',
  allow: anyHuman,
  params: z.object({
    status: word('active', 'idle').describe('`active`: the user is using the device now.'),
    last_update_id: integer({ min: -1 })
      .optional()
      .describe(
        '`presence_last_update_id` of the last answer: the answer contains only later changes; -1: all presences.',
      ),
    history_limit_days: integer({ min: 0 })
      .default(limits.presence_history_days_default)
      .describe('The number of days for which the answer contains presences.'),
    new_user_input: boolean().default(false).describe('The user was active since the last report.'),
    ping_only: boolean().default(false).describe('Only report; the answer contains no presences.'),
    slim_presence: boolean().default(false).describe('Use the modern form, also without `last_update_id`.'),
  }),
  returns: z.object({
    presence_last_update_id: z
      .int()
      .describe('The `last_update_id` of the next request; -1: the answer contains no presences.'),
    server_timestamp: z.number().optional(),
    presences: z.record(z.string(), z.unknown()).optional(),
  }),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params: { status, last_update_id, history_limit_days, ping_only, slim_presence } }) {
    const { user } = actor
    const asked = last_update_id ?? -1
    if (ping_only) {
      await reportPresence(ctx, user, status, 'none')
      return { presence_last_update_id: asked }
    }
    const range = asked > 0 ? { after: asked } : lastDays(ctx, history_limit_days)
    const { lastUpdateId, users } = await reportPresence(ctx, user, status, range)
    return {
      // Without users in the answer the client keeps its id, so that the next request covers the skipped updates again.
      presence_last_update_id: users.size > 0 ? Math.max(lastUpdateId, asked) : asked,
      server_timestamp: ctx.clock.now() / 1000,
      presences:
        last_update_id !== undefined || slim_presence ? modernPresences(users) : legacyPresences(users, ctx.realmHost),
    }
  },
})
