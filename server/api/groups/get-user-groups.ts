import { z } from 'zod'
import { userGroupObject } from '../../../shared/resources/user-group.js'
import { boolean } from '../../params/schemas.js'
import { notGuest } from '../../policies/allow.js'
import { groupListBytes } from '../../presenters/group-object.js'
import { JsonFields, route } from '../route.js'

export const getUserGroups = route({
  operation: 'get_user_groups',
  method: 'GET',
  path: '/user_groups',
  doc: 'Lists all user groups, including the system groups. Not for guests.',
  allow: notGuest,
  isTool: true,
  params: z.object({
    include_deactivated_groups: boolean().default(false).describe('Whether deactivated groups are listed.'),
  }),
  returns: z.object({ user_groups: z.array(userGroupObject).describe('Ids ascending.') }),
  errors: ['BAD_REQUEST'],
  async handle({ ctx: { directory }, params: { include_deactivated_groups } }) {
    await directory.fresh()
    return new JsonFields('"user_groups":', groupListBytes(directory, include_deactivated_groups))
  },
})
