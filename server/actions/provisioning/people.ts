import { ApiError, badRequest } from '../../../shared/errors.js'
import type { Ctx } from '../../ctx.js'
import type { Directory } from '../../memory/directory.js'
import { isReserved } from '../../policies/joining.js'
import {
  type ProvisioningRights,
  provisionedRole,
  requireMayBringBack,
  requireMayChangeAddress,
  requireMayDeactivate,
  requireMayGive,
} from '../../policies/provisioning.js'
import { member } from '../../policies/roles.js'
import type { Emit } from '../../realtime/emission.js'
import {
  accountOfName,
  isUserNameTaken,
  type ProvisionedUser,
  provisionedUser,
  storeProvisionedUser,
} from '../../store/accounts/provisioned-users.js'
import type { Tx } from '../../store/driver/db.js'
import { bumpVersion } from '../../store/organization/organization.js'
import { dropPendingAddress } from '../../store/users/pending-addresses.js'
import { changeUsers, type UserChange } from '../../store/users/user-changes.js'
import type { UserRow } from '../../store/users/users.js'
import { checkedEmail, requireUnusedEmail } from '../accounts/account-details.js'
import { nameFor } from '../accounts/name-for.js'
import { type Joining, join, withRole } from '../joining/join.js'
import { takeEntry } from '../joining/sign-up.js'
import { deactivate, withBots } from '../users/deactivate.js'
import { reactivate } from '../users/reactivate.js'
import { revokeEverywhere } from '../users/revoke-everywhere.js'
import { notifyOfUpdate } from '../users/update-user.js'

/** What a directory says of a person; what is absent stays as it is. */
export interface PersonChange {
  readonly userName?: string | undefined
  /** Null: none. */
  readonly externalId?: string | null | undefined
  readonly fullName?: string | undefined
  readonly address?: string | undefined
  readonly role?: number | undefined
  readonly isActive?: boolean | undefined
}

/** What a directory says of a person that it adds. */
interface NewPerson extends PersonChange {
  readonly userName: string
  readonly address: string
}

interface Changed {
  readonly id: number
  /** The directory has deleted the person, and adds it again. */
  readonly isBack?: boolean
}

const noSuchPerson = () => new ApiError('BAD_REQUEST', 'There is no such user.', {}, 404)
const taken = () => new ApiError('BAD_REQUEST', 'An account has this userName or address.', {}, 409)

/**
 * Makes the account of a person, or gives back the one of a person that the directory had deleted. An account has no password.
 * @returns its id
 * @throws {ApiError} BAD_REQUEST: with status 409 if another account has the name or the address, 403 for what the directory may not do
 */
export async function addPerson(ctx: Ctx, rights: ProvisioningRights, person: NewPerson): Promise<number> {
  const { userName, role = member, isActive = true } = person
  const email = personalAddress(person.address)
  const former = await accountOfName(ctx.sql, { userName, address: email })
  if (former && !former.isRemoved) throw taken()
  if (former) {
    await changePerson(ctx, rights, { id: former.id, isBack: true }, { ...person, isActive })
    return former.id
  }
  requireMayGive(rights, role)
  await ctx.directory.fresh()
  const fullName = nameFor(ctx.directory, { fullName: person.fullName ?? '', email }, null)
  const user = await join(ctx, { email, fullName, passwordHash: null }, async joining => {
    const { tx } = joining
    if (await accountOfName(tx, { userName, address: email })) throw taken()
    const admission = await takeEntry(joining, ctx.directory, { email, invitation: undefined }, [])
    const made = ({ id }: UserRow) =>
      storeProvisionedUser(tx, { id, user_name: userName, external_id: person.externalId ?? null })
    if (isActive) return { ...withRole(admission, role), made }
    const last = (row: UserRow, after: Directory) => deactivateNew({ ...ctx, directory: after }, joining, row)
    return { ...withRole(admission, role), made, last, isQuiet: true }
  })
  return user.id
}

async function deactivateNew(ctx: Ctx, { tx, emit }: Joining, user: UserRow): Promise<void> {
  await deactivate(ctx, tx, emit, { users: [user], version: await bumpVersion(tx) })
}

/** The trimmed address. @throws {ApiError} BAD_REQUEST for an invalid one, and for one of the server's own accounts */
function personalAddress(given: string): string {
  const email = checkedEmail(given)
  if (isReserved(email)) throw badRequest('The address belongs to an account of the server.')
  return email
}

/**
 * Changes the account of a person, all or nothing. A deactivation ends its sessions, keys and sockets before this resolves.
 * @throws {ApiError} BAD_REQUEST: with status 404 if the directory sees no such person, 409 for a name or an address that is taken, 403 for
 *   what the directory may not do, and for the deactivation of the only owner
 */
export async function changePerson(
  ctx: Ctx,
  rights: ProvisioningRights,
  { id, isBack = false }: Changed,
  change: PersonChange,
): Promise<void> {
  const { directory } = ctx
  const ended = await ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'change')
    const user = directory.users.get(id)
    const known =
      user && (isBack ? { id, user_name: user.delivery_email, external_id: null } : await provisionedUser(tx, id))
    if (!known) throw noSuchPerson()
    await storeName(tx, known, change)
    return apply(ctx, tx, emit, { user, change, rights })
  })
  await (ended.length > 0 ? revokeEverywhere(ctx, ended) : directory.fresh())
}

/** Deactivates the account of a person, which the directory does not see from now on. @throws {ApiError} as `changePerson` */
export async function removePerson(ctx: Ctx, rights: ProvisioningRights, id: number): Promise<void> {
  const { directory } = ctx
  const ended = await ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'change')
    const [user, known] = [directory.users.get(id), await provisionedUser(tx, id)]
    if (!user || !known) throw noSuchPerson()
    await storeProvisionedUser(tx, { ...known, external_id: null }, true)
    return apply(ctx, tx, emit, { user, change: { isActive: false }, rights })
  })
  await revokeEverywhere(ctx, ended)
}

async function storeName(tx: Tx, known: ProvisionedUser, { userName, externalId }: PersonChange): Promise<void> {
  const user_name = userName ?? known.user_name
  const external_id = externalId === undefined ? known.external_id : externalId
  if (user_name !== known.user_name && (await isUserNameTaken(tx, user_name, known.id))) throw taken()
  await storeProvisionedUser(tx, { id: known.id, user_name, external_id })
}

interface Application {
  readonly user: UserRow
  readonly change: PersonChange
  readonly rights: ProvisioningRights
}

/** Changes the account with the events of each change, and returns the ids of those that it has deactivated. */
async function apply(ctx: Ctx, tx: Tx, emit: Emit, { user, change, rights }: Application): Promise<readonly number[]> {
  let now = ctx
  if (change.isActive === true && !user.is_active) {
    requireMayBringBack(rights, user)
    now = { ...now, directory: (await reactivate(now, tx, emit, user)).after }
  }
  const differences = await differencesOf(ctx, tx, { user, change, rights })
  if (Object.keys(differences).length > 0) {
    const before = now.directory.users.get(user.id) ?? user
    const [row] = await changeUsers(tx, [before], differences, await bumpVersion(tx))
    if (!row) throw new Error('the account has vanished although the organization is held')
    // A confirmation link that was requested before must not set another address afterwards.
    if (differences.delivery_email !== undefined) await dropPendingAddress(tx, user.id)
    await notifyOfUpdate(now, tx, emit, { before, user: row })
    now = { ...now, directory: now.directory.preview({ users: [row] }) }
  }
  if (change.isActive !== false || !user.is_active) return []
  requireMayDeactivate(ctx.directory, user)
  const users = withBots(now.directory, now.directory.users.get(user.id) ?? user)
  await deactivate(now, tx, emit, { users, version: await bumpVersion(tx) })
  return users.map(one => one.id)
}

/** What the directory says otherwise than the account's row. */
async function differencesOf({ directory }: Ctx, tx: Tx, { user, change, rights }: Application): Promise<UserChange> {
  const differences: UserChange = {}
  const { fullName, address, role } = change
  const email = address === undefined ? user.delivery_email : personalAddress(address)
  if (email !== user.delivery_email) {
    requireMayChangeAddress(rights, user)
    await requireFreeAddress(directory, tx, email, user.id)
    differences.delivery_email = email
  }
  if (fullName !== undefined) {
    const name = nameFor(directory, { fullName, email }, user.id)
    if (name !== user.full_name) differences.full_name = name
  }
  const given = role === undefined ? user.role : provisionedRole(directory, rights, user, role)
  if (given !== user.role) differences.role = given
  return differences
}

async function requireFreeAddress(directory: Ctx['directory'], tx: Tx, email: string, ownId: number): Promise<void> {
  try {
    await requireUnusedEmail(tx, directory, email, ownId)
  } catch (error) {
    throw error instanceof ApiError ? taken() : error
  }
}
