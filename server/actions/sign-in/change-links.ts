import { badRequest } from '../../../shared/errors.js'
import type { Ctx } from '../../ctx.js'
import { deleteLink, insertLink, linksOf } from '../../store/accounts/identities.js'
import { signOut } from '../accounts/end-sessions.js'

interface Link {
  readonly userId: number
  /** The provider's name, such as `oidc:company`. */
  readonly provider: string
}

/**
 * Links an account with a person of a provider, for the operator.
 * @throws {ApiError} BAD_REQUEST: for an account that is no active person, and if the person or the account has another link there
 */
export async function linkAccount(
  { write, directory }: Ctx,
  { userId, provider, subject }: Link & { readonly subject: string },
): Promise<void> {
  await write(async (tx, _emit, { audit }) => {
    await directory.hold(tx, 'change')
    const user = directory.users.get(userId)
    if (!user?.is_active || user.is_bot) throw badRequest('Only active people are linked.')
    const links = await linksOf(tx, { provider, subject }, userId)
    if (links.some(link => link.user_id !== userId)) throw badRequest('This person is linked with another account.')
    if (links.length > 0) throw badRequest('The account is linked with a person of this provider: unlink it first.')
    await insertLink(tx, { provider, subject }, userId)
    audit('identity_link', { subject: { user_id: userId }, before: null, after: { provider, subject } })
  })
}

/**
 * Removes the link of an account with a provider, and ends its sessions, which the person at the provider may have begun; for the operator.
 * @throws {ApiError} BAD_REQUEST if there is none
 */
export async function unlinkAccount({ write, directory }: Ctx, { userId, provider }: Link): Promise<void> {
  await write(async (tx, emit, { audit }) => {
    await directory.hold(tx, 'change')
    if (!(await deleteLink(tx, userId, provider))) throw badRequest('The account has no link with this provider.')
    await signOut(tx, emit, userId)
    audit('identity_link', { subject: { user_id: userId }, before: null, after: { provider, subject: null } })
  })
  await directory.fresh()
}
