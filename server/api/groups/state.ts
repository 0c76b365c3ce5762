import { z } from 'zod'
import { userGroupObject } from '../../../shared/resources/user-group.js'
import { groupListBytes } from '../../presenters/group-object.js'
import { JsonFields } from '../route.js'
import type { StatePiece } from '../state-piece.js'

/** All groups; spectators may see them with their members, too. */
export const groupState: readonly StatePiece[] = [
  {
    fetchType: 'realm_user_groups',
    fields: { realm_user_groups: z.array(userGroupObject) },
    read: async ({ ctx: { directory }, options: { view } }) =>
      new JsonFields('"realm_user_groups":', groupListBytes(directory, view.include_deactivated_groups)),
  },
]
