import { z } from 'zod'
import { groupSettingValue } from '../../../shared/resources/group-setting-value.js'
import { updateOrganization } from '../../actions/settings/update-organization.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'
import { echo, realmParams, updateOf } from './realm-params.js'

const shown = z.union([
  z.literal('updated'),
  z.int(),
  z.boolean(),
  groupSettingValue,
  z.record(z.string(), z.boolean()),
])

export const updateRealm = route({
  operation: 'update_realm',
  method: 'PATCH',
  path: '/realm',
  doc:
    'Changes the organization, all or nothing: texts, settings and permissions. Administrators only; who comes in, how, what is kept, and the ' +
    'permissions of groups, invitations and payments are for owners. The answer has each value that changed, of a text the word `updated`.',
  allow: administrators,
  params: z.object(realmParams),
  returns: z.object(
    Object.fromEntries(
      Object.keys(realmParams).map(name => [name, shown.nullable().optional().describe('If it changed.')]),
    ),
  ),
  errors: [
    'UNAUTHORIZED_PRINCIPAL',
    'BAD_REQUEST',
    'REQUEST_VARIABLE_INVALID',
    'EXPECTATION_MISMATCH',
    'SYSTEM_GROUP_REQUIRED',
  ],
  isAdministrative: true,
  async handle({ ctx, actor, params }) {
    const update = updateOf(params)
    return echo(update, await updateOrganization(ctx, actor, update))
  },
})
