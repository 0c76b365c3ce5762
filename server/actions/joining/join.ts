import { userGroupAddMembers } from '../../../shared/events/user-group.js'
import { requireActiveOrganization } from '../../auth/require-active.js'
import type { Additions, Ctx } from '../../ctx.js'
import { addNotices } from '../../job-types/notice.js'
import type { Directory } from '../../memory/directory.js'
import { receivesDefaultChannels } from '../../policies/default-channels.js'
import { isNamed, type NamedGroup } from '../../policies/groups.js'
import { realmSetting } from '../../policies/settings.js'
import { activeUsers, limitedGuests } from '../../policies/users.js'
import type { Emit } from '../../realtime/emission.js'
import type { Tx } from '../../store/driver/db.js'
import { addToGroups } from '../../store/groups/new-member.js'
import { bumpVersion } from '../../store/organization/organization.js'
import type { UserRow } from '../../store/users/users.js'
import { requireFreeName } from '../accounts/account-details.js'
import { type BotSetUp, insertAccount } from '../accounts/new-account.js'
import { notifyOfBot } from '../announce/bots.js'
import { notifyOfRoleGroups } from '../announce/role-groups.js'
import { notifyOfUser } from '../announce/users.js'
import { type FirstChannels, joinChannels } from './join-channels.js'
import { acceptanceNotice, signUpNotices, welcomeNotices } from './joining-notices.js'
import { addWelcomeMails } from './welcome-mails.js'

/** A new account. Address and name are in their checked forms (`checkedEmail`, `checkedFullName`). */
interface Newcomer {
  readonly email: string
  readonly fullName: string
  /** Null: the account cannot sign in by password. */
  readonly passwordHash: string | null
  /** Undefined: a person. */
  readonly bot?: { readonly ownerId: number | null; readonly setUp?: BotSetUp }
  /** IANA name; absent: none. */
  readonly timezone?: string | undefined
  /** A language code; absent: the default of the organization. */
  readonly language?: string | undefined
  readonly emailAddressVisibility?: number | undefined
}

/** What the way in gives to a new account. */
export interface Admission {
  readonly role: number
  readonly channels: FirstChannels
  /** Ids of groups, in the inviter's name; those that are deactivated meanwhile are left out. */
  readonly groupIds?: readonly number[]
  /** Gets a notice that its invitation was accepted. */
  readonly notified?: UserRow | undefined
  /** Neither others nor the user itself get messages and mails about the new account. */
  readonly isQuiet?: boolean
  /** Markdown that the welcome bot adds; absent: the organization's. */
  readonly welcomeText?: string | null
  /** Whether the person has chosen its name itself. */
  readonly hasChosenName?: boolean
  /** Runs in the same transaction, when the account is stored. */
  readonly made?: (user: UserRow) => Promise<void>
  /** Runs in the same transaction, when the account has all that it begins with. `after`: the directory with the account. */
  readonly last?: (user: UserRow, after: Directory) => Promise<void>
}

/** The transaction that makes the account. */
export interface Joining extends Additions {
  readonly tx: Tx
  readonly emit: Emit
}

/**
 * Makes an account with all that it begins with, in one transaction: its role and groups, its channels with their newest messages, and as jobs
 * the messages about it. `admit` says what the account gets, or throws; it runs while the transaction holds the organization, and takes the
 * key or invitation that allows the account.
 * @throws {ApiError} REALM_DEACTIVATED; BAD_REQUEST: the address is in use, or the name is refused
 */
export async function join(
  ctx: Ctx,
  newcomer: Newcomer,
  admit: (joining: Joining) => Admission | Promise<Admission>,
): Promise<UserRow> {
  const { directory } = ctx
  const user = await ctx.write(async (tx, emit, additions) => {
    await directory.hold(tx, 'change')
    requireActiveOrganization(directory)
    const admission = await admit({ tx, emit, ...additions })
    requireFreeName(directory, newcomer.fullName, null, admission.hasChosenName ? null : undefined)
    // Last: a refusal tells of an address that may be hidden, and a free address is taken by the attempt.
    const row = await insertAccount(tx, directory, { ...newcomer, role: admission.role })
    const groups = joinedGroups(directory, admission.groupIds ?? [])
    const members = groups.map(group => ({ ...group, members: [...group.members, row.id].sort((a, b) => a - b) }))
    const after = directory.preview({ users: [row], groups: members })
    announceAccount(ctx, emit, row, after)
    await joinGroups(tx, emit, after, { user: row, groups })
    await admission.made?.(row)
    await joinChannels(tx, emit, ctx, { user: row, after, first: admission.channels })
    await admission.last?.(row, after)
    if (!row.is_bot) addNotices(additions.after, noticesOf(directory, row, admission))
    if (!row.is_bot && !admission.isQuiet) addWelcomeMails(ctx, additions.after, row)
    return row
  })
  await directory.fresh()
  return user
}

/** Emits the events of a new account. `after`: the directory with it. */
export function announceAccount(ctx: Ctx, emit: Emit, user: UserRow, after: Directory): void {
  const { directory } = ctx
  const limited = new Set(user.is_bot ? [] : limitedGuests(directory))
  const all = directory.derived(activeUsers)
  const known = all.filter(id => !limited.has(id))
  const unknown = all.filter(id => limited.has(id))
  notifyOfUser(emit, ctx, user, { known, unknown })
  if (user.is_bot) notifyOfBot(emit, directory, user, ctx)
  notifyOfRoleGroups(emit, directory, after, [user.id])
}

function joinedGroups({ groups }: Directory, ids: readonly number[]): NamedGroup[] {
  const found = [...new Set(ids)].sort((a, b) => a - b).flatMap(id => groups.get(id) ?? [])
  return found.filter(isNamed).filter(group => !group.is_system_group && !group.deactivated)
}

async function joinGroups(
  tx: Tx,
  emit: Emit,
  after: Directory,
  { user, groups }: { readonly user: UserRow; readonly groups: readonly NamedGroup[] },
): Promise<void> {
  if (groups.length === 0) return
  const ids = groups.map(group => group.id)
  await addToGroups(tx, user.id, ids, await bumpVersion(tx))
  const audience = after.derived(activeUsers)
  for (const group_id of ids) {
    emit(userGroupAddMembers, { group_id, user_ids: [user.id], of_deactivated: false }, audience)
  }
}

/** The same with the role that an identity provider or a directory gives: it beats that of an invitation. Guests get no default channels. */
export function withRole(admission: Admission, role: number | undefined): Admission {
  if (role === undefined) return admission
  const { channels } = admission
  const withDefaults = channels.withDefaults && receivesDefaultChannels({ role })
  return { ...admission, role, channels: { ...channels, withDefaults } }
}

function noticesOf(directory: Directory, user: UserRow, { notified, welcomeText, isQuiet }: Admission) {
  if (isQuiet) return []
  return [
    ...(notified?.is_active ? [acceptanceNotice(directory, notified, user)] : []),
    ...signUpNotices(directory, user),
    ...welcomeNotices(directory, user, welcomeText ?? realmSetting(directory, 'welcome_message_custom_text')),
  ]
}
