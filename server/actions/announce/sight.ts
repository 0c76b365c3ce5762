import { type PersonChange, realmUserAdd, realmUserRemove, realmUserUpdate } from '../../../shared/events/realm-user.js'
import type { Ctx } from '../../ctx.js'
import { accessibleUsers } from '../../lookups/known-users.js'
import type { Directory } from '../../memory/directory.js'
import { deliveryEmailFor, seesAllUsers } from '../../policies/users.js'
import { unknownName } from '../../presenters/addresses.js'
import { userObject } from '../../presenters/user-object.js'
import type { Emit } from '../../realtime/emission.js'
import type { Tx } from '../../store/driver/db.js'
import { type UserRow, usersKnownTo } from '../../store/users/users.js'
import { avatarChange } from './emails.js'
import { notifyOfStatuses } from './users.js'

// Bounds the size of an event; a user takes about half a kilobyte.
const peoplePerEvent = 200

/** The directory before and after the viewer's own change. */
export interface Sight {
  readonly before: Directory
  readonly after: Directory
  readonly viewerId: number
}

/** Emits realm_user/add when a viewer with limited access comes to know all users. */
export async function notifyOfUsersGained(ctx: Ctx, tx: Tx, emit: Emit, sight: Sight): Promise<void> {
  const { before, after, viewerId } = sight
  if (!isLimited(before, viewerId) || isLimited(after, viewerId)) return
  const { publicUrl, realmHost } = ctx
  const options = { publicUrl, realmHost, clientGravatar: false, profileData: true, isActive: true }
  const viewer = after.users.get(viewerId) as UserRow
  const gained = await strangers(tx, after, viewerId)
  const objects = gained.map(user => userObject(user, viewer, options))
  for (const people of pages(objects)) emit(realmUserAdd, { people }, [viewerId])
  notifyOfStatuses(emit, ctx, gained, [viewerId])
}

/** Emits realm_user/remove when a viewer who knew all users gets limited access. */
export async function notifyOfUsersLost(tx: Tx, emit: Emit, { before, after, viewerId }: Sight): Promise<void> {
  if (isLimited(before, viewerId) || !isLimited(after, viewerId)) return
  const lost = (await strangers(tx, after, viewerId)).map(({ id }) => ({ user_id: id, full_name: unknownName }))
  for (const people of pages(lost)) emit(realmUserRemove, { people }, [viewerId])
}

/** Emits the addresses that the viewer's new role shows or hides, of users that it sees before and after. */
export async function notifyOfEmailsInSight(ctx: Ctx, tx: Tx, emit: Emit, sight: Sight): Promise<void> {
  const { before, after, viewerId } = sight
  const [was, is] = [before.users.get(viewerId), after.users.get(viewerId)]
  if (!was || !is) return
  const differ = [...after.users.values()].filter(
    user => (deliveryEmailFor(was, user) === null) !== (deliveryEmailFor(is, user) === null),
  )
  if (differ.length === 0) return
  const known = [await accessibleUsers(tx, before, was), await accessibleUsers(tx, after, is)]
  const changes = differ
    .filter(user => known.every(set => !set || set.has(user.id)))
    .flatMap(user => emailChanges(ctx, user, deliveryEmailFor(is, user)))
  for (const people of pages(changes)) emit(realmUserUpdate, { people }, [viewerId])
}

function emailChanges(ctx: Ctx, user: UserRow, delivery_email: string | null): ({ user_id: number } & PersonChange)[] {
  const user_id = user.id
  const email = { user_id, delivery_email }
  return user.avatar_source === 'U' ? [email] : [email, { user_id, ...avatarChange(ctx, user, delivery_email) }]
}

function isLimited(directory: Directory, viewerId: number): boolean {
  const viewer = directory.users.get(viewerId)
  return viewer !== undefined && !seesAllUsers(directory, viewer)
}

/** The users that a viewer with limited access does not see; never bots. */
async function strangers(tx: Tx, directory: Directory, viewerId: number): Promise<UserRow[]> {
  const known = new Set(await usersKnownTo(tx, viewerId))
  return [...directory.users.values()].filter(user => !user.is_bot && !known.has(user.id)).sort((a, b) => a.id - b.id)
}

function pages<Item>(items: readonly Item[]): Item[][] {
  const found: Item[][] = []
  for (let at = 0; at < items.length; at += peoplePerEvent) found.push(items.slice(at, at + peoplePerEvent))
  return found
}
