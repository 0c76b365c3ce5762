import { hashPassword } from '../../auth/passwords.js'
import type { Ctx } from '../../ctx.js'
import { addNotices } from '../../job-types/notice.js'
import type { Directory } from '../../memory/directory.js'
import { joinsDefaultChannels } from '../../policies/default-channels.js'
import { activeUsers, limitedGuests } from '../../policies/users.js'
import type { Emit } from '../../realtime/emission.js'
import type { UserRow } from '../../store/users/users.js'
import { checkedEmail, checkedFullName, requireFreeName } from '../accounts/account-details.js'
import { insertAccount } from '../accounts/new-account.js'
import { notifyOfBot } from '../announce/bots.js'
import { notifyOfRoleGroups } from '../announce/role-groups.js'
import { notifyOfUser } from '../announce/users.js'
import { joiningNotices } from './announce-joining.js'
import { joinDefaultChannels } from './join-default-channels.js'

interface UserDraft {
  readonly email: string
  readonly fullName: string
  readonly role: number
  /** Null: the account cannot sign in by password. */
  readonly password: string | null
  /** Whether the organization's channel for new users gets a notice. */
  readonly isAnnounced?: boolean
  /** Undefined: a person. */
  readonly bot?: { readonly ownerId: number | null }
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
  const { role, password, bot } = draft
  const email = checkedEmail(draft.email)
  const fullName = checkedFullName(draft.fullName)
  // Hashed before the transaction, because hashing takes tens of ms and the transaction locks the organization.
  const passwordHash = password === null ? null : await ctx.workLimits.passwordHashes.run(() => hashPassword(password))
  const user = await ctx.write(async (tx, emit, { after: afterwards }) => {
    const { directory } = ctx
    await directory.hold(tx, 'change')
    require(directory)
    requireFreeName(directory, fullName, null)
    // Last: a refusal tells of an address that may be hidden, and a free address is taken by the attempt.
    const row = await insertAccount(tx, directory, { email, fullName, role, passwordHash, bot })
    const after = directory.preview({ users: [row] })
    announce(ctx, emit, row, after)
    if (joinsDefaultChannels(row)) await joinDefaultChannels(tx, emit, ctx, { user: row, after })
    if (draft.isAnnounced) addNotices(afterwards, joiningNotices(directory, row))
    return row
  })
  await ctx.directory.fresh()
  return user
}

/** `after`: the directory with the user. */
function announce(ctx: Ctx, emit: Emit, user: UserRow, after: Directory): void {
  const { directory } = ctx
  const limited = new Set(user.is_bot ? [] : limitedGuests(directory))
  const all = directory.derived(activeUsers)
  const known = all.filter(id => !limited.has(id))
  const unknown = all.filter(id => limited.has(id))
  notifyOfUser(emit, ctx, user, { known, unknown })
  if (user.is_bot) notifyOfBot(emit, directory, user, ctx)
  notifyOfRoleGroups(emit, directory, after, [user.id])
}
