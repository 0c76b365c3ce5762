import { lastDays, readPresences } from '../../actions/presence.js'
import { currentUser } from '../../lookups/find-user.js'
import type { StatePiece } from '../events/state.js'
import { legacyPresences, modernPresences } from './forms.js'

export const presencePiece: StatePiece = {
  fetchType: 'presence',
  async read({ ctx, actor, tx, options: { view, presenceHistoryDays } }) {
    const server_timestamp = ctx.clock.now() / 1000
    if (!actor) return { presences: {}, server_timestamp }
    const viewer = currentUser(ctx.directory, actor.user)
    const { lastUpdateId, users } = await readPresences(ctx, tx, viewer, lastDays(ctx, presenceHistoryDays))
    const isModern = view.slim_presence || view.simplified_presence_events
    return {
      presences: isModern ? modernPresences(users) : legacyPresences(users, ctx.realmHost),
      presence_last_update_id: lastUpdateId,
      server_timestamp,
    }
  },
}
