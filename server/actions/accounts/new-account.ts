import type { Ctx } from '../../ctx.js'
import type { Directory } from '../../memory/directory.js'
import { member } from '../../policies/roles.js'
import { realmSetting } from '../../policies/settings.js'
import { activeUsers } from '../../policies/users.js'
import type { Tx } from '../../store/driver/db.js'
import { bumpVersion } from '../../store/organization/organization.js'
import { changeUsers } from '../../store/users/user-changes.js'
import { insertUser, type UserRow } from '../../store/users/users.js'
import { type PageLanguage, pageLanguage } from '../../text/page-language.js'
import { notifyOfUser } from '../announce/users.js'
import { requireUnusedEmail } from './account-details.js'
import { newApiKey } from './new-secrets.js'

/** What a person says of a new bot. */
export type BotSetUp = Pick<
  UserRow,
  | 'bot_type'
  | 'service'
  | 'default_sending_stream_id'
  | 'default_events_register_stream_id'
  | 'default_all_public_streams'
> &
  Partial<Pick<UserRow, 'avatar_source' | 'avatar_path'>>

interface NewAccount {
  readonly email: string
  readonly fullName: string
  readonly role: number
  /** Null: the account cannot sign in by password. */
  readonly passwordHash: string | null
  /** Undefined: a person. */
  readonly bot?: { readonly ownerId: number | null; readonly isSystem?: true; readonly setUp?: BotSetUp } | undefined
  readonly timezone?: string | undefined
  readonly language?: string | undefined
  readonly emailAddressVisibility?: number | undefined
}

/**
 * Stores an account with the organization's default settings; without one for times, they are as in the account's language. The transaction must hold the organization for a change.
 * @throws {ApiError} BAD_REQUEST: the address is in use
 */
export async function insertAccount(tx: Tx, directory: Directory, account: NewAccount): Promise<UserRow> {
  const { email, fullName, role, passwordHash, bot, timezone = '', language } = account
  const spoken = language ?? realmSetting(directory, 'default_language')
  await requireUnusedEmail(tx, directory, email, null)
  const { email_address_visibility = 1, ...settings } = directory.organization.user_settings_defaults
  const version = await bumpVersion(tx)
  const row = await insertUser(
    tx,
    {
      delivery_email: email,
      full_name: fullName,
      role,
      is_bot: bot !== undefined,
      bot_type: bot ? 1 : null,
      bot_owner_id: bot?.ownerId ?? null,
      is_system_bot: bot?.isSystem ?? false,
      email_address_visibility: account.emailAddressVisibility ?? (email_address_visibility as number),
      api_key: newApiKey(),
      timezone,
      settings: {
        ...timesIn(pageLanguage('', spoken)),
        default_language: spoken,
        ...settings,
        ...(language !== undefined && { default_language: language }),
      },
      password_hash: passwordHash,
    },
    version,
  )
  if (!bot?.setUp) return row
  const [made] = (await changeUsers(tx, [row], bot.setUp, version)) as [UserRow]
  return made
}

// The default of the setting suits languages that count twelve hours.
function timesIn(language: PageLanguage): { twenty_four_hour_time?: true } {
  const { hour12 } = new Intl.DateTimeFormat(language, { hour: 'numeric' }).resolvedOptions()
  return hour12 === false ? { twenty_four_hour_time: true } : {}
}

/**
 * Creates an account of the server itself. All users know it, also those who may not see all others.
 * @throws {ApiError} BAD_REQUEST: the address is in use
 */
export async function createSystemBot(ctx: Ctx, email: string, fullName: string): Promise<UserRow> {
  const { directory } = ctx
  const bot = { ownerId: null, isSystem: true } as const
  const user = await ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'change')
    // Its name need not be free.
    const row = await insertAccount(tx, directory, { email, fullName, role: member, passwordHash: null, bot })
    notifyOfUser(emit, ctx, row, { known: directory.derived(activeUsers) })
    return row
  })
  await directory.fresh()
  return user
}
