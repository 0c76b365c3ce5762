import { z } from 'zod'
import { userStatus as schema } from '../../../shared/resources/user-status.js'
import { userStatus, usersWithStatus } from '../../presenters/user-status.js'
import { knownUsers, type StatePiece } from '../state-piece.js'

export const userStatusPiece: StatePiece = {
  fetchType: 'user_status',
  fields: {
    user_status: z.record(z.string(), schema).describe('By user id; active users that have a status.'),
  },
  async read({ ctx: { directory, config }, actor, shared }) {
    if (!actor) return { user_status: {} }
    const known = await shared(knownUsers)
    const users = directory.derived(usersWithStatus).filter(({ id }) => !known || known.has(id))
    return { user_status: Object.fromEntries(users.map(user => [user.id, userStatus(user, config.wireBrand)])) }
  },
}
