import { z } from 'zod'
import { realmBot } from '../../../shared/resources/realm-bot.js'
import { currentUser } from '../../lookups/find-user.js'
import type { Directory } from '../../memory/directory.js'
import { maySetUp } from '../../policies/bots.js'
import { botObject } from '../../presenters/bot-object.js'
import type { UserRow } from '../../store/users/users.js'
import type { StatePiece } from '../state-piece.js'

const allBots = ({ users }: Directory): UserRow[] => [...users.values()].filter(user => user.is_bot)

/** The bots that the caller may configure: its own; for an administrator all. */
export const realmBotPiece: StatePiece = {
  fetchType: 'realm_bot',
  fields: { realm_bots: z.array(realmBot).describe('Bots that the caller may configure.') },
  async read({ ctx, actor }) {
    const { directory } = ctx
    if (!actor) return { realm_bots: [] }
    const viewer = currentUser(directory, actor.user)
    const bots = directory.derived(allBots).filter(bot => maySetUp(viewer, bot))
    return { realm_bots: bots.map(bot => botObject(directory, bot, ctx)) }
  },
}
