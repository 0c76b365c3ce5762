import { addGroup, changeGroup, removeGroup } from '../../actions/provisioning/groups.js'
import { budgets } from '../../config/budgets.js'
import {
  type GroupAttribute,
  listProvisionedGroups,
  type ProvisionedGroup,
  provisionedGroup,
} from '../../store/accounts/provisioned-groups.js'
import type { Condition } from '../../store/accounts/provisioned-users.js'
import {
  listAnswer,
  locationOf,
  notFound,
  type ScimAnswer,
  type ScimCall,
  type ScimResources,
  shown,
  wants,
  windowOf,
} from './answer.js'
import { type Fields, operationsOf } from './body.js'
import { conditionsOf } from './filter.js'
import { changeOf, changeOfPatch } from './group-attributes.js'
import { invalidValue } from './scim-error.js'

export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group'

const filters: Readonly<Record<string, GroupAttribute>> = {
  id: 'id',
  displayname: 'displayName',
  externalid: 'externalId',
  members: 'member',
  'members.value': 'member',
}

/** `/scim/v2/Groups`: user groups, without system groups and deactivated ones. */
export const scimGroups: ScimResources = {
  async list(call) {
    const { ctx, query } = call
    const filter = query.get('filter')
    const conditions = filter === null ? [] : conditionsOf(filter, filters).map(withNumber)
    await ctx.directory.fresh()
    const { total, rows } = await listProvisionedGroups(ctx.sql, conditions, windowOf(query))
    return listAnswer(call, { total, resources: bounded(call, rows) })
  },

  async create(call) {
    const change = changeOf(call, call.body())
    const { name = invalidValue('displayName is needed.') } = change
    const id = idOf(await addGroup(call.ctx, { ...change, name }))
    return { ...(await answer(call, id)), status: 201, location: locationOf(call.ctx, 'Groups', id) }
  },

  get: answer,

  async replace(call, id) {
    await changeGroup(call.ctx, numberOf(id), changeOf(call, call.body()))
    return answer(call, id)
  },

  async patch(call, id) {
    await changeGroup(call.ctx, numberOf(id), changeOfPatch(call, operationsOf(call.body())))
    return answer(call, id)
  },

  async remove({ ctx }, id) {
    await removeGroup(ctx, numberOf(id))
    return { status: 204 }
  },
}

// Ids of groups differ from those of people, so that a group cannot pass as a member that is a person.
const idOf = (id: number): string => `group-${id}`

function numberOf(id: string): number {
  const digits = /^group-(\d{1,9})$/.exec(id)?.[1]
  if (digits === undefined) throw notFound()
  return Number(digits)
}

const withNumber = ({ attribute, value }: Condition<GroupAttribute>): Condition<GroupAttribute> => ({
  attribute,
  value: attribute === 'id' ? (/^group-(\d+)$/.exec(value)?.[1] ?? '') : value,
})

async function answer(call: ScimCall, id: string): Promise<ScimAnswer> {
  await call.ctx.directory.fresh()
  const row = await provisionedGroup(call.ctx.sql, numberOf(id))
  const resource = row && resourceOf(call, row)
  if (!resource) throw notFound()
  return { status: 200, body: resource }
}

/** Fewer groups than asked for, where they have very many members together: the next page begins with the next one. */
function bounded(call: ScimCall, rows: readonly ProvisionedGroup[]): Fields[] {
  const resources: Fields[] = []
  let members = 0
  for (const row of rows) {
    const resource = resourceOf(call, row)
    if (!resource) continue
    if (Array.isArray(resource.members)) members += resource.members.length
    if (members > budgets.scimMembers.most && resources.length > 0) break
    resources.push(resource)
  }
  return resources
}

function resourceOf(call: ScimCall, { id, external_id }: ProvisionedGroup): Fields | undefined {
  const { ctx } = call
  const group = ctx.directory.groups.get(id)
  if (!group) return undefined
  return shown(call, {
    schemas: [groupSchema],
    id: idOf(id),
    externalId: external_id ?? undefined,
    displayName: group.name,
    members: wants(call, 'members') ? membersOf(call, group.members) : undefined,
    meta: { resourceType: 'Group', created: group.date_created, location: locationOf(ctx, 'Groups', idOf(id)) },
  })
}

const membersOf = ({ ctx }: ScimCall, ids: readonly number[]): Fields[] =>
  ids.flatMap(id => {
    const user = ctx.directory.users.get(id)
    if (!user?.is_active || user.is_bot) return []
    const value = String(id)
    return { value, display: user.full_name, type: 'User', $ref: locationOf(ctx, 'Users', value) }
  })
