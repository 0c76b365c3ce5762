import { guest } from '../../access/allow.js'
import { hashPassword } from '../../access/passwords.js'
import { activeUsers, limitedGuests } from '../../access/users.js'
import type { Ctx } from '../../ctx.js'
import { bumpVersion } from '../../store/organization.js'
import { insertUser, type UserRow } from '../../store/users.js'
import { subscribe } from '../channels/subscribe.js'
import { checkedEmail, checkedFullName, requireFreeName, requireUnusedEmail } from './account-details.js'
import { newApiKey } from './new-secrets.js'
import { tellOfUser } from './tell-of-user.js'

export interface UserDraft {
  readonly email: string
  readonly fullName: string
  readonly role: number
  /** Null: it does not sign in by password. */
  readonly password: string | null
  /** Undefined: a person. */
  readonly bot?: { readonly ownerId: number | null; readonly isSystem?: boolean }
}

/** A new account, with the organization's defaults as its settings and in its default channels. @throws {ApiError} BAD_REQUEST */
export async function createUser(ctx: Ctx, draft: UserDraft): Promise<UserRow> {
  const email = checkedEmail(draft.email)
  const full_name = checkedFullName(draft.fullName)
  // Before the transaction, which keeps the whole organization waiting: to hash takes long on purpose.
  const password_hash = draft.password === null ? null : await hashPassword(draft.password)
  const user = await ctx.write(async (tx, emit) => {
    const { directory } = ctx
    await directory.hold(tx, 'change')
    requireUnusedEmail(directory, email)
    requireFreeName(directory, full_name, null)
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
    const limited = new Set(row.is_bot ? [] : limitedGuests(directory))
    const all = row.is_system_bot ? [] : directory.derived(activeUsers)
    tellOfUser(
      emit,
      ctx,
      row,
      all.filter(id => !limited.has(id)),
      all.filter(id => limited.has(id)),
    )
    return row
  })
  await ctx.directory.fresh()
  if (!user.is_bot && user.role !== guest) await joinDefaultChannels(ctx, user)
  return user
}

async function joinDefaultChannels(ctx: Ctx, user: UserRow): Promise<void> {
  const channels = [...ctx.directory.channels.values()].filter(channel => channel.is_default && !channel.is_archived)
  if (channels.length === 0) return
  await subscribe(
    ctx,
    { user, client: 'internal' },
    {
      channels: channels.map(({ name, description }) => ({ name, description, color: null })),
      principals: [],
      authorizationErrorsFatal: false,
      settings: {
        invite_only: false,
        is_web_public: false,
        is_default_stream: false,
        message_retention_days: null,
        groups: {},
      },
    },
  )
}
