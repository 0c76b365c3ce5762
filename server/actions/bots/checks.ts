import { badRequest } from '../../../shared/errors.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { findChannel } from '../../lookups/find-channel.js'
import type { Directory } from '../../memory/directory.js'
import type { ISql } from '../../store/driver/db.js'
import type { UserRow } from '../../store/users/users.js'
import { requireFreeName } from '../accounts/account-details.js'

export const outgoingWebhook = 3

export const noAddress = () => badRequest('Only outgoing webhooks have an address.')

/** The address that a bot gets from its short name. */
export const botAddress = ({ realmHost }: Pick<Ctx, 'realmHost'>, shortName: string): string =>
  `${shortName}-bot@${realmHost}`

/**
 * A bot never has the name of an active account, nor one that looks like it: people could not tell them apart.
 * @throws {ApiError} BAD_REQUEST
 */
export function requireFreeBotName(directory: Directory, name: string, ownId: number | null, caller: UserRow): void {
  requireFreeName(directory, name, ownId, caller)
  if (directory.userLike(name, ownId, user => user.is_active)) throw badRequest('Name is already in use.')
}

/** The id of a channel that the caller may read, by its name; null: none is given. @throws {ApiError} BAD_REQUEST */
export async function defaultChannel(
  ctx: Ctx,
  sql: ISql,
  actor: Actor,
  name: string | undefined,
): Promise<number | null> {
  if (!name) return null
  // An unknown name is refused as a hidden channel is.
  const id = ctx.directory.channelNamed(name)?.id ?? -1
  return (await findChannel(ctx, sql, actor, { channelId: id })).channel.id
}
