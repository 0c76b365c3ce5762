import { z } from 'zod'
import { presence } from '../../../shared/resources/presence.js'
import { lastDays, readPresences } from '../../actions/presence.js'
import { currentUser } from '../../lookups/find-user.js'
import type { StatePiece } from '../state-piece.js'
import { legacyPresences, modernPresences } from './forms.js'

const presences = z.record(
  z.string(),
  z.union([
    presence,
    z.object({ aggregated: z.record(z.string(), z.unknown()), website: z.record(z.string(), z.unknown()) }),
  ]),
)

export const presencePiece: StatePiece = {
  fetchType: 'presence',
  fields: {
    presences: presences.describe('By user id in the modern form, by API email in the legacy one.'),
    presence_last_update_id: z.int(),
    server_timestamp: z.number(),
  },
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
