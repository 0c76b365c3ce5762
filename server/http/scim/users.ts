import { isEmail } from '../../actions/accounts/account-details.js'
import { addPerson, changePerson, type PersonChange, removePerson } from '../../actions/provisioning/people.js'
import {
  listProvisionedUsers,
  type ProvisionedUser,
  provisionedUser,
  type UserAttribute,
} from '../../store/accounts/provisioned-users.js'
import {
  listAnswer,
  locationOf,
  notFound,
  type ScimAnswer,
  type ScimCall,
  type ScimResources,
  shown,
  windowOf,
} from './answer.js'
import { type Fields, operationsOf } from './body.js'
import { conditionsOf } from './filter.js'
import { invalidValue } from './scim-error.js'
import { changeOf, draftOf, draftOfPatch, partsOf, roles, type UserDraft } from './user-attributes.js'

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'

const filters: Readonly<Record<string, UserAttribute>> = {
  id: 'id',
  username: 'userName',
  externalid: 'externalId',
  emails: 'email',
  'emails.value': 'email',
  'emails[type eq "work"].value': 'email',
  'emails[primary eq true].value': 'email',
  displayname: 'displayName',
  'name.formatted': 'displayName',
  active: 'active',
}

/** `/scim/v2/Users`: the accounts of people. Bots are none of them. */
export const scimUsers: ScimResources = {
  async list(call) {
    const { ctx, query } = call
    const filter = query.get('filter')
    const conditions = filter === null ? [] : conditionsOf(filter, filters)
    await ctx.directory.fresh()
    const { total, rows } = await listProvisionedUsers(ctx.sql, conditions, windowOf(query))
    return listAnswer(call, { total, resources: rows.flatMap(row => listOf(resourceOf(call, row))) })
  },

  async create(call) {
    const { ctx } = call
    const draft = draftOf(call.body())
    const { userName = invalidValue('userName is needed.') } = draft
    const address = draft.address ?? (isEmail(userName) ? userName : invalidValue('An address in emails is needed.'))
    const id = await addPerson(ctx, rightsOf(call), { ...changeOf(draft, ''), userName, address })
    return { ...(await answer(call, String(id))), status: 201, location: locationOf(ctx, 'Users', String(id)) }
  },

  get: answer,
  replace: (call, id) => change(call, id, draftOf(call.body())),
  patch: (call, id) => change(call, id, draftOfPatch(operationsOf(call.body()))),

  async remove(call, id) {
    await removePerson(call.ctx, rightsOf(call), numberOf(id))
    return { status: 204 }
  },
}

const rightsOf = ({ token }: ScimCall) => ({ mayChangeOwners: token.may_change_owners })

const listOf = (resource: Fields | undefined): Fields[] => (resource ? [resource] : [])

function numberOf(id: string): number {
  if (!/^\d{1,9}$/.test(id)) throw notFound()
  return Number(id)
}

async function found({ ctx }: ScimCall, id: string): Promise<ProvisionedUser> {
  const row = await provisionedUser(ctx.sql, numberOf(id))
  if (!row) throw notFound()
  return row
}

async function answer(call: ScimCall, id: string): Promise<ScimAnswer> {
  await call.ctx.directory.fresh()
  const resource = resourceOf(call, await found(call, id))
  if (!resource) throw notFound()
  return { status: 200, body: resource }
}

async function change(call: ScimCall, id: string, draft: UserDraft): Promise<ScimAnswer> {
  const { ctx } = call
  await ctx.directory.fresh()
  const row = await found(call, id)
  const user = ctx.directory.users.get(row.id)
  if (!user) throw notFound()
  await changePerson(ctx, rightsOf(call), row, withAddress(changeOf(draft, user.full_name), row, user.delivery_email))
  return answer(call, id)
}

/** Where the directory sends no address, the one of an account whose name is its address follows the name. */
function withAddress(change: PersonChange, { user_name }: ProvisionedUser, address: string): PersonChange {
  const { userName } = change
  const isName = user_name.toLowerCase() === address.toLowerCase()
  const follows = change.address === undefined && userName !== undefined && isName && isEmail(userName)
  return follows ? { ...change, address: userName } : change
}

/** A person as the directory sees it; undefined: the account has vanished since. */
function resourceOf(call: ScimCall, { id, user_name, external_id }: ProvisionedUser): Fields | undefined {
  const { ctx } = call
  const user = ctx.directory.users.get(id)
  if (!user) return undefined
  const { full_name, delivery_email, is_active, role, date_joined } = user
  return shown(call, {
    schemas: [userSchema],
    id: String(id),
    externalId: external_id ?? undefined,
    userName: user_name,
    displayName: full_name,
    name: { formatted: full_name, ...partsOf(full_name) },
    emails: [{ value: delivery_email, type: 'work', primary: true }],
    active: is_active,
    roles: Object.entries(roles).flatMap(([value, number]) => (number === role ? [{ value, primary: true }] : [])),
    meta: { resourceType: 'User', created: date_joined, location: locationOf(ctx, 'Users', String(id)) },
  })
}
