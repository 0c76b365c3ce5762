import { z } from 'zod'
import { createGroup } from '../../actions/groups/create-group.js'
import { notGuest } from '../../policies/allow.js'
import { route } from '../route.js'
import { given, groupDescription, groupName, memberIds, settingValues, subgroupIds } from './params.js'

export const createUserGroup = route({
  operation: 'create_user_group',
  method: 'POST',
  path: '/user_groups/create',
  doc: 'Creates a user group. For users with `can_create_groups` who are not guests; the creator becomes a member only if listed.',
  allow: notGuest,
  params: z.object({
    name: groupName.describe('Unique, case-sensitive, deactivated groups included.'),
    description: groupDescription.describe('The purpose of the group.'),
    members: memberIds().describe('The first members; active users.'),
    subgroups: subgroupIds()
      .default([])
      .describe('Subgroups: their members are members of the new group, too. The caller needs no permission for them.'),
    ...settingValues,
  }),
  returns: z.object({ group_id: z.int() }),
  errors: ['BAD_REQUEST'],
  isAdministrative: true,
  creates: true,
  async handle({ creating, actor, params }) {
    const { name, description, members, subgroups } = params
    const settings = given(params)
    return creating(
      ctx => createGroup(ctx, actor, { name, description, members, subgroups, settings }),
      group_id => ({ group_id }),
    )
  },
})
