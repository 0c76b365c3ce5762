import { z } from 'zod'
import { limits } from '../../../shared/limits.js'
import { lastDays, readPresences } from '../../actions/presence.js'
import { currentUser } from '../../lookups/find-user.js'
import { accessibleUsers } from '../../lookups/known-users.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'
import { legacyPresences } from './forms.js'

export const getRealmPresence = route({
  operation: 'get_realm_presence',
  method: 'GET',
  path: '/realm/presence',
  doc: 'Returns the presences of all users who were active lately, in the legacy form.',
  allow: anyAccount,
  params: z.object({}),
  returns: z.object({
    server_timestamp: z.number(),
    presences: z.record(z.string(), z.unknown()).describe('By API email.'),
  }),
  errors: [],
  async handle({ ctx, actor }) {
    await ctx.directory.fresh()
    const viewer = currentUser(ctx.directory, actor.user)
    const range = lastDays(ctx, limits.presence_history_days_default)
    const { users } = await readPresences(ctx, range, () => accessibleUsers(ctx.sql, ctx.directory, viewer))
    return { server_timestamp: ctx.clock.now() / 1000, presences: legacyPresences(users, ctx.realmHost) }
  },
})
