import { administrator } from '../../access/allow.js'
import { currentUser } from '../../access/users.js'
import type { StatePiece } from '../events/state.js'

/** What the reader may set up of bots: its own, an administrator's all. */
export const realmBotPiece: StatePiece = {
  fetchType: 'realm_bot',
  async read({ ctx: { directory }, actor }) {
    if (!actor) return { realm_bots: [] }
    const { id, role } = currentUser(directory, actor.user)
    const mine = [...directory.users.values()].filter(
      user => user.is_bot && !user.is_system_bot && (role <= administrator || user.bot_owner_id === id),
    )
    const realm_bots = mine.map(bot => ({
      user_id: bot.id,
      default_all_public_streams: bot.default_all_public_streams,
      default_events_register_stream: directory.channels.get(bot.default_events_register_stream_id ?? -1)?.name ?? null,
      default_sending_stream: null,
      services: [],
    }))
    return { realm_bots }
  },
}
