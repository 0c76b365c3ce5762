import { ApiError, badRequest } from '../../../shared/errors.js'
import { userGroupAdd } from '../../../shared/events/user-group.js'
import type { Ctx } from '../../ctx.js'
import { objectionsTo } from '../../policies/group-objections.js'
import { isNamed, type NamedGroup, systemGroup } from '../../policies/groups.js'
import { activeUsers } from '../../policies/users.js'
import { groupObject } from '../../presenters/group-object.js'
import type { Emit } from '../../realtime/emission.js'
import { storeProvisionedGroup } from '../../store/accounts/provisioned-groups.js'
import type { Tx } from '../../store/driver/db.js'
import { insertGroup, updateGroup } from '../../store/groups/group-changes.js'
import { bumpVersion } from '../../store/organization/organization.js'
import { storeMembers } from '../groups/change-members.js'
import { ascending, requireFreeName } from '../groups/checks.js'
import { announceDeactivation } from '../groups/deactivate-group.js'
import { announceUpdate } from '../groups/update-group.js'

/** A change of the people in a group; `all` replaces them. Bots and subgroups of the group stay. */
export type MemberChange = { readonly kind: 'add' | 'remove' | 'all'; readonly userIds: readonly number[] }

/** What a directory says of a group; what is absent stays as it is. The changes of members are applied in their order. */
export interface GroupChange {
  readonly name?: string | undefined
  /** Null: none. */
  readonly externalId?: string | null | undefined
  readonly members?: readonly MemberChange[]
}

const noSuchGroup = () => new ApiError('BAD_REQUEST', 'There is no such group.', {}, 404)
const conflict = (message: string) => new ApiError('BAD_REQUEST', message, {}, 409)

/**
 * Makes a user group, or reactivates the one of this name. Owners, and who may manage all groups, can manage it.
 * @returns its id
 * @throws {ApiError} BAD_REQUEST: with status 409 if a group has the name, or one that looks like it; for a member that does not exist
 */
export async function addGroup(ctx: Ctx, change: GroupChange & { readonly name: string }): Promise<number> {
  const { directory } = ctx
  const { name, externalId = null } = change
  const group = await ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'change')
    const former = directory.groupsByName.get(name)
    const isFree = isNamed(former) && former.deactivated && !former.is_system_group
    const made = isFree ? await reactivate(tx, emit, directory, former) : await make(tx, emit, directory, name)
    await storeProvisionedGroup(tx, { id: made.id, external_id: externalId })
    const members = [{ kind: 'all', userIds: [] } as const, ...(change.members ?? [])]
    return applyMembers(tx, emit, { directory: directory.preview({ groups: [made] }), group: made, members })
  })
  await directory.fresh()
  return group.id
}

/** Changes a group, all or nothing. @throws {ApiError} BAD_REQUEST, as `addGroup`; with status 404 if the directory sees no such group */
export async function changeGroup(ctx: Ctx, id: number, change: GroupChange): Promise<void> {
  const { directory } = ctx
  await ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'change')
    const group = visibleGroup(directory, id)
    if (change.externalId !== undefined) await storeProvisionedGroup(tx, { id, external_id: change.externalId })
    const named = await rename(tx, emit, directory, { group, name: change.name ?? group.name })
    const now = directory.preview({ groups: [named] })
    await applyMembers(tx, emit, { directory: now, group: named, members: change.members ?? [] })
  })
  await directory.fresh()
}

/** Deactivates a group. @throws {ApiError} BAD_REQUEST: with status 404, or 409 if a permission is given to the group */
export async function removeGroup(ctx: Ctx, id: number): Promise<void> {
  const { directory } = ctx
  await ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'change')
    const group = visibleGroup(directory, id)
    if (objectionsTo(directory, group).length > 0) throw conflict('The group is in use: a permission is given to it.')
    const version = await bumpVersion(tx)
    await updateGroup(tx, id, { ...group, deactivated: true }, version)
    announceDeactivation(emit, directory, id)
    await storeProvisionedGroup(tx, { id, external_id: null })
  })
  await directory.fresh()
}

function visibleGroup({ groups }: Ctx['directory'], id: number): NamedGroup {
  const group = groups.get(id)
  if (!isNamed(group) || group.is_system_group || group.deactivated) throw noSuchGroup()
  return group
}

async function make(tx: Tx, emit: Emit, directory: Ctx['directory'], name: string): Promise<NamedGroup> {
  requireFree(directory, name, null)
  const version = await bumpVersion(tx)
  // The directory decides on the members.
  const noRole = systemGroup(directory, 'role:nobody')
  const settings = { can_manage_group: noRole, can_add_members_group: noRole }
  const row = { name, description: '', creator_id: null, settings, members: [], subgroups: [] }
  const made = await insertGroup(tx, row, version)
  const group: NamedGroup = { ...row, ...made, is_system_group: false, deactivated: false, version }
  emit(userGroupAdd, { group: groupObject(directory, group) }, directory.derived(activeUsers))
  return group
}

async function reactivate(tx: Tx, emit: Emit, directory: Ctx['directory'], group: NamedGroup): Promise<NamedGroup> {
  const version = await bumpVersion(tx)
  const changed = { ...group, deactivated: false, version }
  await updateGroup(tx, group.id, changed, version)
  announceUpdate(emit, directory, { group, changed, values: {}, data: {} })
  return changed
}

async function rename(
  tx: Tx,
  emit: Emit,
  directory: Ctx['directory'],
  { group, name }: { readonly group: NamedGroup; readonly name: string },
): Promise<NamedGroup> {
  if (name === group.name) return group
  requireFree(directory, name, group.id)
  const version = await bumpVersion(tx)
  const changed = { ...group, name, version }
  await updateGroup(tx, group.id, changed, version)
  announceUpdate(emit, directory, { group, changed, values: {}, data: { name } })
  return changed
}

function requireFree(directory: Ctx['directory'], name: string, ownId: number | null): void {
  try {
    requireFreeName(directory, name, ownId)
  } catch (error) {
    throw error instanceof ApiError ? conflict(error.message) : error
  }
}

interface Members {
  readonly directory: Ctx['directory']
  readonly group: NamedGroup
  readonly members: readonly MemberChange[]
}

async function applyMembers(tx: Tx, emit: Emit, { directory, group, members }: Members): Promise<NamedGroup> {
  const before = new Set(group.members)
  const bots = new Set(group.members.filter(id => directory.users.get(id)?.is_bot))
  let after = new Set(before)
  for (const { kind, userIds } of members) {
    if (kind !== 'remove') requirePeople(directory, userIds)
    if (kind === 'all') after = new Set([...bots, ...userIds])
    for (const id of userIds) kind !== 'remove' ? after.add(id) : !bots.has(id) && after.delete(id)
  }
  const add = ascending([...after].filter(id => !before.has(id)))
  const gone = ascending([...before].filter(id => !after.has(id)))
  if (add.length + gone.length === 0) return group
  const change = { add, delete: gone, add_subgroups: [], delete_subgroups: [] }
  return storeMembers(tx, emit, { directory, group, change })
}

function requirePeople({ users }: Ctx['directory'], ids: readonly number[]): void {
  for (const id of ids) {
    const user = users.get(id)
    if (!user || user.is_bot || user.is_deleted) throw badRequest(`members: there is no user ${id}.`)
  }
}
