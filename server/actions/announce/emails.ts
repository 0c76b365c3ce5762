import { realmUserUpdate } from '../../../shared/events/realm-user.js'
import type { Ctx } from '../../ctx.js'
import type { Directory } from '../../memory/directory.js'
import { deliveryEmailFor } from '../../policies/users.js'
import { apiEmail } from '../../presenters/addresses.js'
import { avatarUrl } from '../../presenters/avatars.js'
import type { Emit } from '../../realtime/emission.js'
import type { UserRow } from '../../store/users/users.js'
import { gather } from '../gather.js'

interface Change {
  readonly before: UserRow
  readonly after: UserRow
  /** Ids of the users who may know the user, ascending. */
  readonly audience: readonly number[]
}

/**
 * Emits a change of a user's address or of its visibility: delivery_email to viewers whose view of it changed, new_email to all if the API
 * address changed, and then the avatar, which may be computed from either (docs/protocol/events.md#realm_user).
 */
export function notifyOfEmail(
  emit: Emit,
  ctx: Pick<Ctx, 'publicUrl' | 'realmHost'>,
  directory: Directory,
  { before, after, audience }: Change,
): void {
  const { publicUrl, realmHost } = ctx
  const user_id = after.id
  const sees = (viewerId: number, user: UserRow) => deliveryEmailFor(directory.users.get(viewerId) ?? null, user)
  const views = gather(audience, id => `${sees(id, before) === null} ${sees(id, after) === null}`)
  for (const [, viewers] of views) {
    const [first] = viewers
    if (first === undefined) continue
    const [was, is] = [sees(first, before), sees(first, after)]
    if (was !== is) emit(realmUserUpdate, { person: { user_id, delivery_email: is } }, viewers)
  }
  const new_email = apiEmail(after, realmHost)
  const isNew = new_email !== apiEmail(before, realmHost)
  if (isNew) emit(realmUserUpdate, { person: { user_id, new_email } }, audience)
  const picture = (user: UserRow, email: string | null) =>
    avatarUrl(user, email ?? apiEmail(user, realmHost), publicUrl)
  for (const [, viewers] of views) {
    const [first] = viewers
    if (first === undefined) continue
    const is = sees(first, after)
    if (isNew || picture(before, sees(first, before)) !== picture(after, is)) {
      emit(realmUserUpdate, { person: { user_id, ...avatarChange(ctx, after, is) } }, viewers)
    }
  }
}

/** The avatar fields for viewers who see this address of the user; null: no address. */
export function avatarChange(
  { publicUrl, realmHost }: Pick<Ctx, 'publicUrl' | 'realmHost'>,
  user: UserRow,
  deliveryEmail: string | null,
): { avatar_source: string; avatar_url: string; avatar_url_medium: string; avatar_version: number } {
  const email = deliveryEmail ?? apiEmail(user, realmHost)
  return {
    avatar_source: user.avatar_source,
    avatar_url: avatarUrl(user, email, publicUrl),
    avatar_url_medium: avatarUrl(user, email, publicUrl, true),
    avatar_version: user.avatar_version,
  }
}
