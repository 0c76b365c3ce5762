import { isDeepStrictEqual } from 'node:util'
import { badRequest } from '../../../shared/errors.js'
import { customProfileFields } from '../../../shared/events/custom-profile-fields.js'
import { realmUserUpdate } from '../../../shared/events/realm-user.js'
import {
  type ProfileFieldObject,
  type ProfileFieldType,
  profileFieldTypes,
} from '../../../shared/resources/custom-profile-field.js'
import type { Actor } from '../../auth/actor.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import { whoMayAccess } from '../../lookups/known-users.js'
import { administrators } from '../../policies/allow.js'
import { activeUsers, limitedGuests } from '../../policies/users.js'
import { profileFieldObject } from '../../presenters/profile-field-object.js'
import type { Emit } from '../../realtime/emission.js'
import type { Tx } from '../../store/driver/db.js'
import {
  deleteProfileField,
  insertProfileField,
  orderProfileFields,
  type ProfileFieldRow,
  readProfileFields,
  updateProfileField,
} from '../../store/organization/custom-profile-fields.js'
import { bumpVersion } from '../../store/organization/organization.js'
import { clearProfileValues, dropProfileValues } from '../../store/users/user-changes.js'
import type { UserRow } from '../../store/users/users.js'
import { checkedField, type ProfileFieldValues, requireChangeable } from './check-profile-field.js'

export interface ProfileFieldDraft {
  readonly type: ProfileFieldType
  readonly name: string
  readonly hint: string
  /** For a list of options: the choices in their order. */
  readonly options: readonly string[]
  /** For an external account: the address of a user's page, with `%(username)s` in it. */
  readonly urlPattern: string | null
  readonly required: boolean
  readonly editableByUser: boolean
  readonly inSummary: boolean
}

/** Appends a field for the command `admin profile-field add`. @throws {ApiError} BAD_REQUEST */
export async function addProfileField(ctx: Ctx, draft: ProfileFieldDraft): Promise<ProfileFieldObject> {
  return createProfileField(ctx, null, {
    type: profileFieldTypes[draft.type].id,
    name: draft.name,
    hint: draft.hint,
    field_data: fieldData(draft),
    required: draft.required,
    editable_by_user: draft.editableByUser,
    display_in_profile_summary: draft.inSummary,
  })
}

/** Appends a field and emits the list to all users. `actor` null: a command. @throws {ApiError} BAD_REQUEST, UNAUTHORIZED_PRINCIPAL */
export async function createProfileField(
  ctx: Ctx,
  actor: Actor | null,
  values: ProfileFieldValues,
): Promise<ProfileFieldObject> {
  const added = await changeFields(ctx, actor, async (tx, emit, fields) => {
    const { most } = budgets.profileFields
    if (fields.length >= most) throw badRequest(`There may be at most ${most} custom profile fields.`)
    const id = await insertProfileField(tx, checkedField(values, fields))
    await bumpVersion(tx)
    return (await notify(ctx, tx, emit)).find(one => one.id === id)
  })
  return added as ProfileFieldObject
}

/**
 * An undefined value stays as it is. Users whose option of a list is removed lose their value.
 * @throws {ApiError} BAD_REQUEST, UNAUTHORIZED_PRINCIPAL
 */
export async function changeProfileField(
  ctx: Ctx,
  actor: Actor,
  id: number,
  change: Partial<Omit<ProfileFieldValues, 'type'>>,
): Promise<void> {
  await changeFields(ctx, actor, async (tx, emit, fields) => {
    const was = fields.find(field => field.id === id)
    if (!was) throw fieldNotFound(id)
    const others = fields.filter(field => field !== was)
    const { id: _, position: __, ...present } = was
    requireChangeable(present, change)
    const values = checkedField({ ...present, ...change }, others)
    if (isDeepStrictEqual(values, present)) return
    await updateProfileField(tx, id, values)
    const version = await bumpVersion(tx)
    await notify(ctx, tx, emit)
    await clearRemovedOptions(tx, emit, ctx, { was, is: values, version })
  })
  await ctx.directory.fresh()
}

/** Removes a field and all its values. `actor` null: a command. @throws {ApiError} BAD_REQUEST, UNAUTHORIZED_PRINCIPAL */
export async function removeProfileField(ctx: Ctx, actor: Actor | null, id: number): Promise<void> {
  await changeFields(ctx, actor, async (tx, emit, fields) => {
    if (!fields.some(field => field.id === id)) throw fieldNotFound(id)
    await deleteProfileField(tx, id)
    await dropProfileValues(tx, id, await bumpVersion(tx))
    await notify(ctx, tx, emit)
  })
  await ctx.directory.fresh()
}

/** `order` contains every field once. @throws {ApiError} BAD_REQUEST, UNAUTHORIZED_PRINCIPAL */
export async function reorderProfileFields(ctx: Ctx, actor: Actor, order: readonly number[]): Promise<void> {
  await changeFields(ctx, actor, async (tx, emit, fields) => {
    const present = fields.map(field => field.id)
    const isWhole = order.length === present.length && present.every(id => order.includes(id))
    if (!isWhole) throw badRequest('The order must contain each custom profile field exactly once.')
    if (isDeepStrictEqual(order, present)) return
    await orderProfileFields(tx, order)
    await notify(ctx, tx, emit)
  })
}

/** Runs one change of the list at a time. @throws {ApiError} UNAUTHORIZED_PRINCIPAL */
function changeFields<T>(
  ctx: Ctx,
  actor: Actor | null,
  change: (tx: Tx, emit: Emit, fields: readonly ProfileFieldRow[]) => Promise<T>,
): Promise<T> {
  const { directory } = ctx
  return ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'change')
    if (actor) administrators({ ...actor, user: currentUser(directory, actor.user) })
    return change(tx, emit, await readProfileFields(tx))
  })
}

async function notify({ directory }: Ctx, tx: Tx, emit: Emit): Promise<ProfileFieldObject[]> {
  const fields = (await readProfileFields(tx)).map(profileFieldObject)
  emit(customProfileFields, { fields }, directory.derived(activeUsers))
  return fields
}

async function clearRemovedOptions(
  tx: Tx,
  emit: Emit,
  { directory }: Ctx,
  { was, is, version }: { readonly was: ProfileFieldRow; readonly is: ProfileFieldValues; readonly version: number },
): Promise<void> {
  if (was.type !== profileFieldTypes.SELECT.id) return
  const removed = new Set(Object.keys(was.field_data ?? {}).filter(key => !Object.hasOwn(is.field_data ?? {}, key)))
  const holders = [...directory.users.values()].filter(user => removed.has(user.profile_data[was.id]?.value ?? ''))
  if (holders.length === 0) return
  await clearProfileValues(tx, was.id, [...removed], version)
  const cleared = ({ id }: UserRow) => ({ user_id: id, custom_profile_field: { id: was.id, value: null } })
  if ([...limitedGuests(directory)].length === 0) {
    emit(realmUserUpdate, { people: holders.map(cleared) }, directory.derived(activeUsers))
    return
  }
  for (const user of holders) emit(realmUserUpdate, { person: cleared(user) }, await whoMayAccess(tx, directory, user))
}

const fieldNotFound = (id: number) => badRequest(`Field id ${id} not found.`)

function fieldData({ type, options, urlPattern }: ProfileFieldDraft): Record<string, unknown> | null {
  if (type !== 'SELECT' && options.length > 0) throw badRequest('Only a list of options has options.')
  if (type !== 'EXTERNAL_ACCOUNT' && urlPattern !== null) {
    throw badRequest('Only an external account has a URL pattern.')
  }
  if (type === 'SELECT') {
    return Object.fromEntries(options.map((text, i) => [String(i), { text, order: String(i + 1) }]))
  }
  return type === 'EXTERNAL_ACCOUNT' ? { subtype: 'custom', url_pattern: urlPattern } : null
}
