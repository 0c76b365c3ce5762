import { hashPassword } from '../../auth/passwords.js'
import type { Ctx } from '../../ctx.js'
import { joinsDefaultChannels } from '../../policies/default-channels.js'
import { activeUsers, limitedGuests } from '../../policies/users.js'
import type { Emit } from '../../realtime/emission.js'
import type { Directory } from '../../store/directory/directory.js'
import { bumpVersion } from '../../store/organization/organization.js'
import { insertUser, type UserRow } from '../../store/users/users.js'
import { notifyOfRoleGroups } from '../announce/role-groups.js'
import { checkedEmail, checkedFullName, requireFreeName, requireUnusedEmail } from '../accounts/account-details.js'
import { joinDefaultChannels } from './join-default-channels.js'
import { newApiKey } from '../accounts/new-secrets.js'
import { notifyOfBot } from '../announce/bots.js'
import { notifyOfUser } from '../announce/users.js'

export interface UserDraft {
  readonly email: string
  readonly fullName: string
  readonly role: number
  /** Null: the account cannot sign in by password. */
  readonly password: string | null
  /** Undefined: a person. */
  readonly bot?: { readonly ownerId: number | null; readonly isSystem?: boolean }
}

/**
 * Creates an account with the organization's default settings and subscribes it to the default channels, in one transaction. `require`
 * throws if the caller's permission no longer holds; it runs while the transaction holds the organization.
 * @throws {ApiError} BAD_REQUEST
 */
export async function createUser(
  ctx: Ctx,
  draft: UserDraft,
  require: (directory: Directory) => void = () => {},
): Promise<UserRow> {
  const email = checkedEmail(draft.email)
  const full_name = checkedFullName(draft.fullName)
  // Hashed before the transaction, because hashing takes tens of ms and the transaction locks the organization.
  const password_hash = draft.password === null ? null : await hashPassword(draft.password)
  const user = await ctx.write(async (tx, emit) => {
    const { directory } = ctx
    await directory.hold(tx, 'change')
    require(directory)
    // The server's own messages do not depend on a free name.
    if (!draft.bot?.isSystem) requireFreeName(directory, full_name, null)
    // Last: a refusal tells of an address that may be hidden, and a free address is taken by the attempt.
    await requireUnusedEmail(tx, directory, email, null)
    const { email_address_visibility = 1, ...settings } = directory.organization.user_settings_defaults
    const row = await insertUser(
      tx,
      {
        delivery_email: email,
        full_name,
        role: draft.role,
        is_bot: draft.bot !== undefined,
        bot_type: draft.bot ? 1 : null,
        bot_owner_id: draft.bot?.ownerId ?? null,
        is_system_bot: draft.bot?.isSystem ?? false,
        email_address_visibility: email_address_visibility as number,
        api_key: newApiKey(),
        settings,
        password_hash,
      },
      await bumpVersion(tx),
    )
    const after = directory.preview({ users: [row] })
    if (!row.is_system_bot) announce(ctx, emit, row, after)
    if (joinsDefaultChannels(row)) await joinDefaultChannels(tx, emit, ctx, row, after)
    return row
  })
  await ctx.directory.fresh()
  return user
}

/** `after`: the directory with the user. The server's own bots are not in clients' lists of users. */
function announce(ctx: Ctx, emit: Emit, user: UserRow, after: Directory): void {
  const { directory } = ctx
  const limited = new Set(user.is_bot ? [] : limitedGuests(directory))
  const all = directory.derived(activeUsers)
  const known = all.filter(id => !limited.has(id))
  const unknown = all.filter(id => limited.has(id))
  notifyOfUser(emit, ctx, user, known, unknown)
  if (user.is_bot) notifyOfBot(emit, directory, user, ctx)
  notifyOfRoleGroups(emit, directory, after, [user.id])
}
