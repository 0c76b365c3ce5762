import { z } from 'zod'
import { createDefaultGroup } from '../../actions/default-channels/change-groups.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'
import { channelNames, groupDescription, groupName } from './params.js'

export const createDefaultStreamGroup = route({
  operation: 'create_default_stream_group',
  method: 'POST',
  path: '/default_stream_groups/create',
  doc: 'Creates a group of public channels that new members may choose together. Administrators only.',
  allow: administrators,
  params: z.object({
    group_name: groupName.describe('Unique, whatever the letter case.'),
    description: groupDescription.describe('The purpose of the group; may be empty.'),
    stream_names: channelNames().describe('Public channels that are not default channels.'),
  }),
  returns: z.object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  isAdministrative: true,
  creates: true,
  async handle({ creating, actor, params: { group_name, description, stream_names } }) {
    return creating(
      ctx => createDefaultGroup(ctx, actor, { name: group_name, description }, stream_names),
      () => ({}),
    )
  },
})
