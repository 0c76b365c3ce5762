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
import { adoptFile, releaseFiles } from '../../store/files/loose-files.js'
import { changeUsers } from '../../store/users/user-changes.js'
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
  const source = { account: actor.user.id, file: onlyPicture(files), signal }
  const { small, medium } = await squarePicture(ctx.pictures, source)
  const path = newPicturePath()
  return withPictures(ctx, { [`${path}.png`]: small, [`${path}-medium.png`]: medium }, keys =>
    changeAvatar(ctx, actor, { avatar_source: 'U', avatar_path: path }, keys),
  )
}

/** Returns to the default picture, and returns its address. @throws {ApiError} BAD_REQUEST */
export async function deleteAvatar(ctx: Ctx, actor: Actor): Promise<string> {
  await ctx.directory.fresh()
  requireMayChangeOwnAvatar(ctx.directory, actor.user)
  return changeAvatar(ctx, actor, { avatar_source: 'G', avatar_path: null }, [])
}

async function changeAvatar(
  ctx: Ctx,
  actor: Actor,
  picture: Pick<UserRow, 'avatar_source' | 'avatar_path'>,
  keys: readonly string[],
): Promise<string> {
  const { directory, publicUrl } = ctx
  const after = await ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'change')
    const before = currentUser(directory, actor.user)
    // It has the default picture already.
    if (picture.avatar_path === null && before.avatar_path === null) return before
    const change = { ...picture, avatar_version: before.avatar_version + 1 }
    const [user] = (await changeUsers(tx, [before], change)) as [UserRow]
    for (const key of keys) await adoptFile(tx, key)
    const { avatar_path: old } = before
    if (old !== null) await releaseFiles(tx, [`${old}.png`, `${old}-medium.png`].map(pictureKey))
    const sees = (id: number) => deliveryEmailFor(directory.users.get(id) ?? null, user)
    for (const [, viewers] of gather(await whoMayAccess(tx, directory, user), id => sees(id) === null)) {
      const [first] = viewers
      if (first === undefined) continue
      emit(realmUserUpdate, { person: { user_id: user.id, ...avatarChange(ctx, user, sees(first)) } }, viewers)
    }
    return user
  })
  directory.adopt({ users: [after] })
  return avatarUrl(after, after.delivery_email, publicUrl)
}
