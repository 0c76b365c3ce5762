import { ApiError } from '../../../shared/errors.js'
import { requireStrongPassword } from '../../auth/password-strength.js'
import { hashPassword } from '../../auth/passwords.js'
import type { WorkerCtx } from '../../ctx.js'
import type { Directory } from '../../memory/directory.js'
import { mayBeOffered, receivesDefaultChannels } from '../../policies/default-channels.js'
import { mayAddMembers } from '../../policies/group-permissions.js'
import { isNamed } from '../../policies/groups.js'
import { member } from '../../policies/roles.js'
import { isPasswordOn } from '../../policies/sign-in.js'
import { removeJoinKeys } from '../../store/accounts/confirmations.js'
import { removeInvitationsTo } from '../../store/accounts/invitations.js'
import { readDefaultChannelGroups } from '../../store/channels/default-channel-groups.js'
import { isEmailTaken, type UserRow } from '../../store/users/users.js'
import { checkedFullName, requireFreeName } from '../accounts/account-details.js'
import { noteInvitations } from '../announce/invitations.js'
import { type Entry, entryOf } from './entry.js'
import { type Admission, type Joining, join } from './join.js'

/** What a person says of itself when it makes its account. */
interface SignUpForm {
  readonly fullName: string
  /** Not read where people cannot sign in by password. */
  readonly password: string
  /** IANA name; absent: none. */
  readonly timezone?: string | undefined
  /** A language code; absent: the default of the organization. */
  readonly language?: string | undefined
  readonly emailAddressVisibility?: number | undefined
  /** Names of groups of default channels. */
  readonly channelGroups: readonly string[]
}

export type SignUpOutcome =
  | { readonly user: UserRow }
  /** The form is shown again; the key stays good. */
  | { readonly again: 'name' | 'name taken' | 'password' }
  /** The address has an account by now. */
  | { readonly registered: string }

/** Ends the transaction: nothing of it stays, and the key is not used. */
class NotYet extends Error {
  constructor(readonly outcome: Exclude<SignUpOutcome, { user: UserRow }>) {
    super('no account was made')
  }
}

/**
 * Makes the account of a mailed key, which is used up in the same transaction: of two requests with one key one makes an account.
 * @throws {ApiError} as `entryOf`
 */
export async function signUp(ctx: WorkerCtx, key: string, form: SignUpForm): Promise<SignUpOutcome> {
  const { email } = await entryOf(ctx, ctx.sql, key)
  try {
    const fullName = await valid('name', async () => checkedFullName(form.fullName))
    const passwordHash = await hashOf(ctx, form.password, [email, fullName])
    const { timezone, language, emailAddressVisibility } = form
    const newcomer = { email, fullName, passwordHash, timezone, language, emailAddressVisibility }
    const user = await join(ctx, newcomer, joining =>
      admit(ctx, joining, { key, fullName, chosen: form.channelGroups }),
    )
    return { user }
  } catch (thrown) {
    if (thrown instanceof NotYet) return thrown.outcome
    throw thrown
  }
}

async function hashOf(ctx: WorkerCtx, password: string, known: readonly string[]): Promise<string | null> {
  if (!isPasswordOn(ctx)) return null
  await valid('password', () => requireStrongPassword(password, known))
  // Before the transaction, because hashing takes tens of ms.
  return ctx.workLimits.passwordHashes.run(() => hashPassword(password))
}

/** A refusal of `check` shows the form again. */
async function valid<T>(again: 'name' | 'name taken' | 'password', check: () => T | Promise<T>): Promise<T> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) throw new NotYet({ again })
    throw error
  }
}

interface Attempt {
  readonly key: string
  readonly fullName: string
  readonly chosen: readonly string[]
}

async function admit(ctx: WorkerCtx, joining: Joining, { key, fullName, chosen }: Attempt): Promise<Admission> {
  const { directory } = ctx
  const { tx } = joining
  const entry = await entryOf(ctx, tx, key)
  const { email } = entry
  if (await isEmailTaken(tx, email, null)) throw new NotYet({ registered: email })
  await valid('name taken', () => requireFreeName(directory, fullName, null, null))
  const groups = chosen.length > 0 ? await readDefaultChannelGroups(tx) : []
  const chosenIds = groups.filter(group => chosen.includes(group.name)).flatMap(group => group.streams)
  return takeEntry(joining, directory, entry, chosenIds)
}

/** Uses up what lets people make an account of the address. `chosen`: ids of channels that the person chose. */
export async function takeEntry(
  { tx, emit }: Pick<Joining, 'tx' | 'emit'>,
  directory: Directory,
  entry: Entry,
  chosen: readonly number[],
): Promise<Admission> {
  await removeJoinKeys(tx, entry.email)
  const inviters = await removeInvitationsTo(tx, entry.email)
  if (inviters.length > 0) noteInvitations(emit, directory, inviters)
  return admissionOf(directory, entry, chosen)
}

function admissionOf(directory: Directory, { invitation }: Entry, chosen: readonly number[]): Admission {
  const offered = chosen.filter(id => {
    const channel = directory.channels.get(id)
    return channel !== undefined && mayBeOffered(channel)
  })
  if (!invitation) return { role: member, channels: { withDefaults: true, ids: offered }, hasChosenName: true }
  const inviter = directory.users.get(invitation.inviter_id)
  const { role, with_default_channels: withDefaults, channel_ids, group_ids, welcome_text } = invitation
  const isByMail = invitation.email !== null
  return {
    role,
    channels: { withDefaults, ids: [...channel_ids, ...(receivesDefaultChannels(invitation) ? offered : [])], inviter },
    groupIds: inviter ? group_ids.filter(id => mayFill(directory, inviter, id)) : [],
    notified: isByMail && invitation.notifies_inviter ? inviter : undefined,
    welcomeText: welcome_text,
    hasChosenName: true,
  }
}

function mayFill(directory: Directory, inviter: UserRow, groupId: number): boolean {
  const group = directory.groups.get(groupId)
  return isNamed(group) && mayAddMembers(directory, inviter, group)
}
