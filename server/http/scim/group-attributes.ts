import type { GroupChange, MemberChange } from '../../actions/provisioning/groups.js'
import { groupName } from '../../api/groups/params.js'
import { budgets } from '../../config/budgets.js'
import type { ScimCall } from './answer.js'
import { type Fields, field, isObject, type PatchOperation, textOf } from './body.js'
import { attributeOf } from './filter.js'
import { invalidValue, ScimError } from './scim-error.js'

/** The change that a whole group means. A list of members that is absent changes nothing. @throws {ScimError} invalidValue */
export function changeOf(call: ScimCall, fields: Fields): GroupChange {
  const members = field(fields, 'members')
  return {
    name: nameIn(field(fields, 'displayName')),
    externalId: externalIdIn(field(fields, 'externalId')),
    ...(members !== undefined && { members: [{ kind: 'all', userIds: peopleIn(call, members) }] }),
  }
}

/** The change that the operations of a PATCH mean, in their order. @throws {ScimError} invalidValue, invalidPath */
export function changeOfPatch(call: ScimCall, operations: readonly PatchOperation[]): GroupChange {
  let change: GroupChange = {}
  const members: MemberChange[] = []
  for (const operation of operations) {
    const { op, path, value } = operation
    if (path === undefined) {
      if (!isObject(value)) invalidValue('value: an object is expected where there is no path.')
      const { members: all = [], ...rest } = changeOf(call, value)
      change = { ...change, ...given(rest) }
      members.push(...all.map(one => (op === 'add' ? { ...one, kind: 'add' as const } : one)))
    } else if (attributeOf(path).startsWith('members')) members.push(memberChange(call, operation))
    else if (attributeOf(path) === 'displayname' && op !== 'remove') change = { ...change, name: nameIn(value) }
    else if (attributeOf(path) === 'externalid') {
      change = { ...change, externalId: op === 'remove' ? null : externalIdIn(value) }
    }
  }
  return { ...change, members }
}

const given = (change: GroupChange): GroupChange =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))

function memberChange(call: ScimCall, { op, path = '', value }: PatchOperation): MemberChange {
  const one = /^members\[value eq "([^"]*)"\]$/i.exec(path.trim())?.[1]
  if (one !== undefined) return { kind: op === 'remove' ? 'remove' : 'add', userIds: peopleIn(call, [one], op) }
  if (attributeOf(path) !== 'members')
    throw new ScimError(400, 'path: members, or one of them, is expected.', 'invalidPath')
  // Without a value all members leave.
  if (op === 'remove' && value == null) return { kind: 'all', userIds: [] }
  return { kind: op === 'replace' ? 'all' : op, userIds: peopleIn(call, value, op) }
}

function nameIn(value: unknown): string | undefined {
  if (value === undefined) return undefined
  const name = groupName.safeParse(textOf(value, 'displayName'))
  return name.success ? name.data : invalidValue(`displayName: ${name.error.issues[0]?.message}`)
}

const externalIdIn = (value: unknown): string | null | undefined =>
  value === undefined ? undefined : value === null || value === '' ? null : textOf(value, 'externalId')

/** The ids of the people in a list of members. Groups among them have no effect. @throws {ScimError} invalidValue */
function peopleIn({ ctx, token }: ScimCall, given: unknown, op?: PatchOperation['op']): number[] {
  const list = Array.isArray(given) ? given : given === null ? [] : [given]
  if (list.length > budgets.scimMembers.most) {
    throw new ScimError(400, `A request names at most ${budgets.scimMembers.most} members.`, 'tooMany')
  }
  const values = list.map(one => (isObject(one) ? one : { value: one }))
  const people = values.filter(one => !isGroup(one))
  if (people.length < values.length) {
    ctx.log.warn(
      { token: token.name, groups: values.length - people.length },
      'groups as members of groups are ignored',
    )
  }
  return people.flatMap(one => {
    const value = textOf(field(one, 'value'), 'members')
    if (/^\d{1,9}$/.test(value)) return Number(value)
    // A person who is not there is no member afterwards.
    return op === 'remove' ? [] : invalidValue(`members: there is no user ${value}.`)
  })
}

const isGroup = (one: Fields): boolean =>
  String(field(one, 'type')).toLowerCase() === 'group' || String(field(one, 'value')).startsWith('group-')
