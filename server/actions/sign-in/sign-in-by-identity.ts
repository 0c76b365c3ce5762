import type { Identity, Provider } from '../../auth/providers/provider.js'
import type { Ctx } from '../../ctx.js'
import type { Directory } from '../../memory/directory.js'
import { insertLink, linksOf } from '../../store/accounts/identities.js'
import type { ISql } from '../../store/driver/db.js'
import type { UserRow } from '../../store/users/users.js'
import { isEmail, isMisleading } from '../accounts/account-details.js'
import { applyClaims, differsFromClaims } from './apply-claims.js'

/**
 * Why an identity has no access to an account:
 * - `unverified`: the provider does not vouch for the address
 * - `address changed`: the person has an account here, which has another address
 * - `other person`: the account of this address belongs to another person of the provider
 * - `no person`: the address is that of a bot
 */
type Refusal = 'unverified' | 'address changed' | 'other person' | 'no person'

/** What an identity means here. */
export type IdentityResult =
  | { readonly outcome: 'signed in' | 'deactivated'; readonly user: UserRow }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'refused'; readonly reason: Refusal }

/**
 * The account of a person that a provider names. The verified address decides; the provider's id of the person must agree with it, so that
 * neither an address nor an id that a provider gives to another person leads to the account of the first one. The first sign-in links the
 * two; each one gives the account the role and the groups of the claims.
 */
export async function signInByIdentity(ctx: Ctx, provider: Provider, identity: Identity): Promise<IdentityResult> {
  const { directory, sql } = ctx
  if (!isAddressSure(identity)) return { outcome: 'refused', reason: 'unverified' }
  await directory.fresh()
  const found = await resultFor(sql, directory, identity)
  if (found.outcome !== 'signed in') return found
  const claims = { mapping: provider.mapping, groups: identity.groups }
  if (found.isLinked && !differsFromClaims(directory, found.user, claims)) return found
  const result = await ctx.write(async (tx, emit): Promise<FoundAccount> => {
    await directory.hold(tx, 'change')
    const now = await resultFor(tx, directory, identity)
    if (now.outcome !== 'signed in') return now
    if (!now.isLinked) await insertLink(tx, identity, now.user.id)
    await applyClaims(ctx, tx, emit, { user: now.user, ...claims })
    return now
  })
  await directory.fresh()
  if (result.outcome !== 'signed in') return result
  return { outcome: 'signed in', user: directory.users.get(result.user.id) ?? result.user }
}

const isAddressSure = ({ email, emailIsVerified }: Identity): boolean =>
  emailIsVerified && isEmail(email) && !isMisleading(email)

type FoundAccount =
  | Exclude<IdentityResult, { readonly outcome: 'signed in' | 'deactivated' }>
  | { readonly outcome: 'signed in' | 'deactivated'; readonly user: UserRow; readonly isLinked: boolean }

async function resultFor(sql: ISql, directory: Directory, identity: Identity): Promise<FoundAccount> {
  const user = directory.usersByEmail.get(identity.email.toLowerCase())
  const links = await linksOf(sql, identity, user?.id ?? null)
  if (links.some(link => link.user_id !== user?.id)) return { outcome: 'refused', reason: 'address changed' }
  if (!user) return { outcome: 'unknown' }
  if (user.is_bot) return { outcome: 'refused', reason: 'no person' }
  if (links.some(link => link.subject !== identity.subject)) return { outcome: 'refused', reason: 'other person' }
  return { outcome: user.is_active ? 'signed in' : 'deactivated', user, isLinked: links.length > 0 }
}
