import { doNotDisturb, notQuiet } from '../../../shared/resources/do-not-disturb.js'
import { currentUser } from '../../lookups/find-user.js'
import { doNotDisturbOf } from '../../policies/quiet.js'
import type { StatePiece } from '../state-piece.js'

export const doNotDisturbPiece: StatePiece = {
  fetchType: 'do_not_disturb',
  fields: { do_not_disturb: doNotDisturb.describe('When the user wants no notifications.') },
  async read({ ctx, actor }) {
    return { do_not_disturb: actor ? doNotDisturbOf(currentUser(ctx.directory, actor.user)) : notQuiet }
  },
}
