import { z } from 'zod'
import { createGroup } from '../../actions/groups/create-group.js'
import { notGuest } from '../../policies/allow.js'
import { route } from '../route.js'
import { given, groupDescription, groupName, memberIds, settingValues, subgroupIds } from './params.js'

export const createUserGroup = route({
  operation: 'create_user_group',
  method: 'POST',
  path: '/user_groups/create',
  doc: 'Create a user group. For holders of `can_create_groups` who are no guests; the creator is a member only if listed.',
  allow: notGuest,
  params: z.object({
    name: groupName.describe('Unique by the letter, deactivated groups included.'),
    description: groupDescription.describe('What the group is for.'),
    members: memberIds().describe('Active users who are in it from the beginning.'),
    subgroups: subgroupIds()
      .default([])
      .describe('Groups whose members are in it, too; no permission on them is needed.'),
    ...settingValues,
  }),
  returns: z.object({ group_id: z.int() }),
  errors: ['BAD_REQUEST'],
  isAdministrative: true,
  async handle({ ctx, actor, params }) {
    const { name, description, members, subgroups } = params
    const settings = given(params)
    return { group_id: await createGroup(ctx, actor, { name, description, members, subgroups, settings }) }
  },
})
