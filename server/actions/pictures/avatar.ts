import { realmUserUpdate } from '../../../shared/events/realm-user.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import type { GoneSignal } from '../../images/picture-queue.js'
import { squarePicture } from '../../images/pictures.js'
import { currentUser } from '../../lookups/find-user.js'
import { whoMayAccess } from '../../lookups/known-users.js'
import type { FilePart } from '../../params/file-part.js'
import { requireMayChangeOwnAvatar } from '../../policies/accounts.js'
import { deliveryEmailFor } from '../../policies/users.js'
import { avatarUrl } from '../../presenters/avatars.js'
import type { Emit } from '../../realtime/emission.js'
import type { Tx } from '../../store/driver/db.js'
import { adoptFile, releaseFiles } from '../../store/files/loose-files.js'
import { changeUsers, type UserChange } from '../../store/users/user-changes.js'
import type { UserRow } from '../../store/users/users.js'
import { avatarChange } from '../announce/emails.js'
import { gather } from '../gather.js'
import { newPicturePath, onlyPicture, pictureKey, withPictures } from './stored-picture.js'

/**
 * Makes the picture of a form the caller's avatar, and returns its address.
 * @throws {ApiError} BAD_REQUEST, BAD_IMAGE, SERVER_NOT_READY
 */
export async function setAvatar(
  ctx: Ctx,
  actor: Actor,
  files: readonly FilePart[],
  signal: GoneSignal,
): Promise<string> {
  await ctx.directory.fresh()
  requireMayChangeOwnAvatar(ctx.directory, actor.user)
  return withAvatar(ctx, { account: actor.user.id, files, signal }, picture => changeAvatar(ctx, actor, picture))
}

/** The default picture, or an uploaded one with the keys of its files, which the transaction that uses it adopts. */
export interface Avatar {
  readonly avatar_source: 'G' | 'U'
  readonly avatar_path: string | null
  readonly keys: readonly string[]
}

interface SentAvatar {
  /** Whose limits hold for the work. */
  readonly account: number
  readonly files: readonly FilePart[]
  readonly signal: GoneSignal
}

/** Stores the picture of a form, and then runs `use`. If it fails, the picture is removed. @throws {ApiError} BAD_REQUEST, BAD_IMAGE, SERVER_NOT_READY */
export async function withAvatar<T>(
  ctx: Ctx,
  { account, files, signal }: SentAvatar,
  use: (picture: Avatar) => Promise<T>,
): Promise<T> {
  const { small, medium } = await squarePicture(ctx.pictures, { account, file: onlyPicture(files), signal })
  const path = newPicturePath()
  return withPictures(ctx, { [`${path}.png`]: small, [`${path}-medium.png`]: medium }, keys =>
    use({ avatar_source: 'U', avatar_path: path, keys }),
  )
}

/** Returns to the default picture, and returns its address. @throws {ApiError} BAD_REQUEST */
export async function deleteAvatar(ctx: Ctx, actor: Actor): Promise<string> {
  await ctx.directory.fresh()
  requireMayChangeOwnAvatar(ctx.directory, actor.user)
  return changeAvatar(ctx, actor, { avatar_source: 'G', avatar_path: null, keys: [] })
}

async function changeAvatar(ctx: Ctx, actor: Actor, picture: Avatar): Promise<string> {
  const { directory, publicUrl } = ctx
  const after = await ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'change')
    const before = currentUser(directory, actor.user)
    // It has the default picture already.
    if (picture.avatar_path === null && before.avatar_path === null) return before
    const [user] = (await changeUsers(tx, [before], avatarOf(before, picture))) as [UserRow]
    await exchangeFiles(tx, before, picture)
    await notifyOfAvatar(ctx, tx, emit, user)
    return user
  })
  directory.adopt({ users: [after] })
  return avatarUrl(after, after.delivery_email, publicUrl)
}

/** The change of an account's row to this picture. */
export const avatarOf = (before: UserRow, { avatar_source, avatar_path }: Avatar): UserChange => ({
  avatar_source,
  avatar_path,
  avatar_version: before.avatar_version + 1,
})

/** Keeps the files of the new picture, and lets those of the former one go. */
export async function exchangeFiles(tx: Tx, { avatar_path: old }: UserRow, { keys }: Avatar): Promise<void> {
  for (const key of keys) await adoptFile(tx, key)
  if (old !== null) await releaseFiles(tx, avatarPaths(old).map(pictureKey))
}

/** The paths of the pictures of an avatar. */
export const avatarPaths = (path: string): string[] => [`${path}.png`, `${path}-medium.png`]

/** Emits the picture of an account to all who may know it. */
export async function notifyOfAvatar(ctx: Ctx, tx: Tx, emit: Emit, user: UserRow): Promise<void> {
  const { directory } = ctx
  const sees = (id: number) => deliveryEmailFor(directory.users.get(id) ?? null, user)
  for (const [, viewers] of gather(await whoMayAccess(tx, directory, user), id => sees(id) === null)) {
    const [first] = viewers
    if (first === undefined) continue
    emit(realmUserUpdate, { person: { user_id: user.id, ...avatarChange(ctx, user, sees(first)) } }, viewers)
  }
}
