import { z } from 'zod'
import { presence } from '../../../shared/resources/presence.js'
import { lastDays, readPresences } from '../../actions/presence.js'
import { knownUsers, type StatePiece } from '../state-piece.js'
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
  async read({ ctx, actor, options: { view, presenceHistoryDays }, shared }) {
    const server_timestamp = ctx.clock.now() / 1000
    if (!actor) return { presences: {}, server_timestamp }
    const { lastUpdateId, users } = await readPresences(ctx, lastDays(ctx, presenceHistoryDays), () =>
      shared(knownUsers),
    )
    const isModern = view.slim_presence || view.simplified_presence_events
    return {
      presences: isModern ? modernPresences(users) : legacyPresences(users, ctx.realmHost),
      presence_last_update_id: lastUpdateId,
      server_timestamp,
    }
  },
}
