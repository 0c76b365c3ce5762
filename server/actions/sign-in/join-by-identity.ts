import { ApiError } from '../../../shared/errors.js'
import type { Identity, Provider } from '../../auth/providers/provider.js'
import type { Ctx } from '../../ctx.js'
import { claimedRole } from '../../policies/claims.js'
import { isEmailTaken } from '../../store/users/users.js'
import { nameFor } from '../accounts/name-for.js'
import { entryOfAddress } from '../joining/entry.js'
import { join, withRole } from '../joining/join.js'
import { takeEntry } from '../joining/sign-up.js'

/** How a person without an account comes here. */
export interface Coming {
  /** The key of an invitation link; null: the person came without one. */
  readonly linkKey: string | null
  /** A language code; absent: the default of the organization. */
  readonly language?: string | undefined
}

/** Whether a person whose address the provider has verified may have an account. */
export async function mayJoin(ctx: Ctx, identity: Identity, { linkKey }: Coming): Promise<boolean> {
  try {
    await entryOfAddress(ctx, ctx.sql, { address: identity.email, link_key: linkKey })
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

/**
 * Makes the account of a person that may join (`mayJoin`), without a password; `signInByIdentity` links the two. Nothing happens if the
 * address has an account by now.
 * @throws {ApiError} as `entryOfAddress`, if the person may not join any more
 */
export async function joinByIdentity(
  ctx: Ctx,
  { mapping }: Provider,
  identity: Identity,
  { linkKey, language }: Coming,
): Promise<void> {
  const { email, groups = [] } = identity
  const role = claimedRole(mapping, groups)
  await ctx.directory.fresh()
  const newcomer = { email, fullName: nameFor(ctx.directory, identity, null), passwordHash: null, language }
  try {
    await join(ctx, newcomer, async joining => {
      const { tx } = joining
      if (await isEmailTaken(tx, email, null)) throw new AlreadyThere()
      const entry = await entryOfAddress(ctx, tx, { address: email, link_key: linkKey })
      return withRole(await takeEntry(joining, ctx.directory, entry, []), role)
    })
  } catch (error) {
    if (!(error instanceof AlreadyThere)) throw error
  }
}

/** Ends the transaction: another sign-in of the person has made the account. */
class AlreadyThere extends Error {}
