import { hashPassword } from '../../auth/passwords.js'
import type { Ctx } from '../../ctx.js'
import type { Directory } from '../../memory/directory.js'
import { receivesDefaultChannels } from '../../policies/default-channels.js'
import type { UserRow } from '../../store/users/users.js'
import { checkedEmail, checkedFullName } from '../accounts/account-details.js'
import { join } from '../joining/join.js'

interface UserDraft {
  readonly email: string
  readonly fullName: string
  readonly role: number
  /** Null: the account cannot sign in by password. */
  readonly password: string | null
  /** Without messages about the account. */
  readonly isQuiet?: boolean
  /** A language code; absent: the default of the organization. */
  readonly language?: string
  /** Undefined: a person. */
  readonly bot?: { readonly ownerId: number | null }
}

/**
 * Creates the account of a person or a bot, by an administrator, the operator or the setup link. People but guests are subscribed to the
 * default channels: guests see only channels that others add them to. `require` throws if the caller's permission no longer holds; it runs
 * while the transaction holds the organization.
 * @throws {ApiError} BAD_REQUEST
 */
export async function createUser(
  ctx: Ctx,
  draft: UserDraft,
  require: (directory: Directory) => void = () => {},
): Promise<UserRow> {
  const { role, password, language, bot, isQuiet = false } = draft
  const email = checkedEmail(draft.email)
  const fullName = checkedFullName(draft.fullName)
  // Hashed before the transaction, because hashing takes tens of ms and the transaction locks the organization.
  const passwordHash = password === null ? null : await ctx.workLimits.passwordHashes.run(() => hashPassword(password))
  return join(ctx, { email, fullName, passwordHash, language, ...(bot && { bot }) }, () => {
    require(ctx.directory)
    return { role, channels: { withDefaults: !bot && receivesDefaultChannels({ role }), ids: [] }, isQuiet }
  })
}
