import { z } from 'zod'
import { botIdOf, teamId, userIdOf } from '../ids.js'
import { method } from '../method.js'

export const authTest = method({
  name: 'auth.test',
  args: z.object({}),
  async handle({ ctx, caller }) {
    return {
      url: `${ctx.publicUrl}/`,
      team: ctx.directory.organization.name,
      user: caller.full_name,
      team_id: teamId,
      user_id: userIdOf(caller.id),
      ...(caller.is_bot && { bot_id: botIdOf(caller.id) }),
      is_enterprise_install: false,
    }
  },
})
