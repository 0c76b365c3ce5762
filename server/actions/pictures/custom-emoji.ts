import { ApiError, badRequest } from '../../../shared/errors.js'
import { realmEmojiAdd, realmEmojiUpdate, realmEmojiUpdateOne } from '../../../shared/events/realm-emoji.js'
import type { Actor } from '../../auth/actor.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import type { GoneSignal, PictureSource } from '../../images/picture-queue.js'
import { emojiPicture } from '../../images/pictures.js'
import { currentUser } from '../../lookups/find-user.js'
import type { FilePart } from '../../params/file-part.js'
import { requireMayAddEmoji, requireMayDeactivateEmoji } from '../../policies/custom-emoji.js'
import { activeUsers } from '../../policies/users.js'
import { customEmojiMapOf, customEmojiObject, stillPath } from '../../presenters/custom-emoji.js'
import type { Emit } from '../../realtime/emission.js'
import type { Tx } from '../../store/driver/db.js'
import { adoptFile } from '../../store/files/loose-files.js'
import { type CustomEmojiRow, deactivateCustomEmoji, insertCustomEmoji } from '../../store/organization/custom-emoji.js'
import { bumpVersion } from '../../store/organization/organization.js'
import type { UserRow } from '../../store/users/users.js'
import { emojiByName } from '../../text/emoji.js'
import { newPicturePath, onlyPicture, withPictures } from './stored-picture.js'

/** Makes the picture of a form an emoji with this name. @throws {ApiError} BAD_REQUEST, BAD_IMAGE, SERVER_NOT_READY */
export async function addCustomEmoji(
  ctx: Ctx,
  actor: Actor,
  {
    given,
    files,
    signal,
  }: { readonly given: string; readonly files: readonly FilePart[]; readonly signal: GoneSignal },
): Promise<void> {
  const { directory } = ctx
  await directory.fresh()
  const name = emojiName(given)
  requireMayAdd(ctx, actor.user, name)
  const drawn = await drawEmoji(ctx, name, { account: actor.user.id, file: onlyPicture(files), signal })
  await withPictures(ctx, drawn.pictures, keys =>
    ctx.write(async (tx, emit) => {
      await directory.hold(tx, 'change')
      const author = currentUser(directory, actor.user)
      requireMayAdd(ctx, author, name)
      await insertEmoji(ctx, tx, emit, { drawn: [drawn], keys, authorId: author.id })
    }),
  )
  await directory.fresh()
}

/** An emoji whose pictures are not stored yet. */
export interface DrawnEmoji {
  readonly name: string
  readonly path: string
  readonly is_animated: boolean
  /** By their paths below `/user_avatars/`. */
  readonly pictures: Readonly<Record<string, Buffer>>
}

/** @throws {ApiError} BAD_IMAGE, SERVER_NOT_READY */
export async function drawEmoji(ctx: Ctx, name: string, source: PictureSource): Promise<DrawnEmoji> {
  const { picture, extension, still } = await emojiPicture(ctx.pictures, source)
  const path = newPicturePath('emoji/images/') + extension
  return {
    name,
    path,
    is_animated: still !== null,
    pictures: { [path]: picture, ...(still && { [stillPath(path)]: still }) },
  }
}

/** Makes stored pictures emoji, and emits them. The transaction holds the organization for a change. */
export async function insertEmoji(
  { directory }: Ctx,
  tx: Tx,
  emit: Emit,
  {
    drawn,
    keys,
    authorId,
  }: { readonly drawn: readonly DrawnEmoji[]; readonly keys: readonly string[]; readonly authorId: number },
): Promise<CustomEmojiRow[]> {
  const rows = await insertCustomEmoji(tx, drawn, authorId, await bumpVersion(tx))
  for (const key of keys) await adoptFile(tx, key)
  const added = rows.map(customEmojiObject)
  const audience = directory.derived(activeUsers)
  for (const emoji of added) emit(realmEmojiAdd, { emoji }, audience)
  const all = { ...directory.derived(customEmojiMapOf), ...Object.fromEntries(added.map(emoji => [emoji.id, emoji])) }
  emit(realmEmojiUpdate, { realm_emoji: all }, audience)
  return rows
}

/** Old messages and reactions still show the emoji. @throws {ApiError} BAD_REQUEST; with status 404 if there is no such emoji */
export async function removeCustomEmoji(ctx: Ctx, actor: Actor, name: string): Promise<void> {
  const { directory } = ctx
  await ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'change')
    const row = directory.customEmoji.active(name)
    if (!row) throw new ApiError('BAD_REQUEST', `Emoji '${name}' does not exist`, {}, 404)
    requireMayDeactivateEmoji(currentUser(directory, actor.user), row)
    await deactivateCustomEmoji(tx, row.id, await bumpVersion(tx))
    const emoji = customEmojiObject({ ...row, deactivated: true } satisfies CustomEmojiRow)
    const audience = directory.derived(activeUsers)
    emit(realmEmojiUpdateOne, { emoji_id: emoji.id, data: { deactivated: true } }, audience)
    emit(realmEmojiUpdate, { realm_emoji: { ...directory.derived(customEmojiMapOf), [emoji.id]: emoji } }, audience)
  })
  await directory.fresh()
}

export const emojiNamePattern = /^[0-9a-z_ -]{0,99}[0-9a-z]$/

/** The name as it is stored. @throws {ApiError} BAD_REQUEST */
function emojiName(given: string): string {
  const name = given.trim()
  if (!emojiNamePattern.test(name)) {
    throw badRequest(
      'Emoji names must contain only lowercase English letters, digits, dashes and underscores, and end with a letter or digit.',
    )
  }
  return name.replaceAll(' ', '_')
}

/** @throws {ApiError} BAD_REQUEST */
function requireMayAdd({ directory, config }: Ctx, user: UserRow, name: string): void {
  requireMayAddEmoji(directory, user, name === config.wireBrand || emojiByName(name) !== undefined)
  if (directory.customEmoji.active(name)) throw badRequest('A custom emoji with this name already exists.')
  const { most } = budgets.customEmoji
  if (directory.customEmoji.size >= most) throw badRequest(`There may be at most ${most} custom emoji.`)
}
