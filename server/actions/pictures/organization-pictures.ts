import { realmUpdateDict } from '../../../shared/events/realm.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import type { GoneSignal } from '../../images/picture-queue.js'
import { squarePicture, widePicture } from '../../images/pictures.js'
import { currentUser } from '../../lookups/find-user.js'
import type { FilePart } from '../../params/file-part.js'
import { administrators } from '../../policies/allow.js'
import { activeUsers } from '../../policies/users.js'
import { pictureFields, pictureUrl } from '../../presenters/organization-pictures.js'
import { adoptFile, releaseFiles } from '../../store/files/loose-files.js'
import type { OrganizationPicture } from '../../store/organization/organization.js'
import { changeOrganization } from '../../store/organization/organization-changes.js'
import { newPicturePath, onlyPicture, pictureKey, withPictures } from './stored-picture.js'

/**
 * Makes the picture of a form the icon or a logo, and returns its address.
 * @throws {ApiError} BAD_REQUEST, BAD_IMAGE, UNAUTHORIZED_PRINCIPAL, SERVER_NOT_READY
 */
export async function setOrganizationPicture(
  ctx: Ctx,
  actor: Actor,
  {
    kind,
    files,
    signal,
  }: { readonly kind: OrganizationPicture; readonly files: readonly FilePart[]; readonly signal: GoneSignal },
): Promise<string> {
  const { pictures } = ctx
  const source = { account: actor.user.id, file: onlyPicture(files), signal }
  const picture = kind === 'icon' ? (await squarePicture(pictures, source)).small : await widePicture(pictures, source)
  const path = newPicturePath('realm/')
  return withPictures(ctx, { [`${path}.png`]: picture }, keys => change(ctx, actor, { kind, path, keys }))
}

/** Returns to the default picture, and returns its address. @throws {ApiError} UNAUTHORIZED_PRINCIPAL */
export const removeOrganizationPicture = (ctx: Ctx, actor: Actor, kind: OrganizationPicture): Promise<string> =>
  change(ctx, actor, { kind, path: null, keys: [] })

async function change(
  ctx: Ctx,
  actor: Actor,
  {
    kind,
    path,
    keys,
  }: { readonly kind: OrganizationPicture; readonly path: string | null; readonly keys: readonly string[] },
): Promise<string> {
  const { directory } = ctx
  const url = await ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'change')
    administrators({ ...actor, user: currentUser(directory, actor.user) })
    const before = directory.organization
    const { path: old = null, version = 1 } = before.pictures[kind] ?? {}
    if (path === old) return pictureUrl(before, kind)
    const after = { pictures: { ...before.pictures, [kind]: { path, version: version + 1 } } }
    await changeOrganization(tx, after)
    for (const key of keys) await adoptFile(tx, key)
    if (old !== null) await releaseFiles(tx, [pictureKey(`${old}.png`)])
    emit(realmUpdateDict, { property: kind, data: pictureFields(after, kind) }, directory.derived(activeUsers))
    return pictureUrl(after, kind)
  })
  await directory.fresh()
  return url
}
