import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { limits } from '../../../shared/limits.js'
import { legacyStatus } from '../../../shared/resources/presence.js'
import { readPresence } from '../../actions/presence.js'
import { currentUser, findUserByEmail } from '../../lookups/find-user.js'
import { mayAccessUser } from '../../lookups/known-users.js'
import { text } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

const status = z.object({ status: z.enum(['active', 'idle', 'offline']), timestamp: z.int() })

export const getUserPresence = route({
  operation: 'get_user_presence',
  method: 'GET',
  path: '/users/{user_id_or_email}/presence',
  doc: 'Returns the presence of one user.',
  allow: anyAccount,
  params: z.object({
    user_id_or_email: text().describe('The id, the real address if you may see it, or the dummy address.'),
  }),
  returns: z.object({
    presence: z
      .object({ aggregated: status, website: status })
      .describe('By client; typed clients accept nothing else.'),
    server_timestamp: z.number(),
  }),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params }) {
    const { directory, realmHost } = ctx
    await directory.fresh()
    const viewer = currentUser(directory, actor.user)
    const given = params.user_id_or_email
    const user = /^\d{1,10}$/.test(given)
      ? directory.users.get(Number(given))
      : findUserByEmail(directory, viewer, given, realmHost)
    if (!user?.is_active || !(await mayAccessUser(ctx.sql, directory, viewer, user))) throw badRequest('No such user')
    if (user.is_bot) throw badRequest('Presence is not supported for bot users.')
    const found = await readPresence(ctx, user)
    if (!found) throw badRequest(`No presence data for ${given}`)
    const website = legacyStatus(found)
    const now = ctx.clock.now() / 1000
    const isAway = now - website.timestamp > limits.presence_offline_threshold_secs
    const aggregated = isAway ? { ...website, status: 'offline' as const } : website
    return { presence: { aggregated, website }, server_timestamp: now }
  },
})
