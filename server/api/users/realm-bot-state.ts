import { botObject, maySetUp } from '../../access/bot-object.js'
import { currentUser } from '../../access/users.js'
import type { StatePiece } from '../events/state.js'

/** What the reader may set up of bots: its own, an administrator's all. */
export const realmBotPiece: StatePiece = {
  fetchType: 'realm_bot',
  async read({ ctx: { directory }, actor }) {
    if (!actor) return { realm_bots: [] }
    const viewer = currentUser(directory, actor.user)
    const bots = [...directory.users.values()].filter(user => maySetUp(viewer, user))
    return { realm_bots: bots.map(bot => botObject(directory, bot)) }
  },
}
