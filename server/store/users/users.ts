import { asJson } from '../driver/as-json.js'
import type { ISql, Tx } from '../driver/db.js'
import type { ReactionRow } from '../messages/reactions.js'

/** A user's value of a custom profile field. `value` is text; a list of user ids is JSON. */
export interface ProfileValue {
  value: string
  /** HTML; only for field types with Markdown. */
  rendered_value?: string
}

/** The server that gets messages to an outgoing-webhook bot, and answers them. */
export interface BotService {
  /** Empty: none yet. */
  readonly base_url: string
  /** The form of the requests: 1 own, 2 Slack's. */
  readonly interface: 1 | 2
  /** A secret by which that server knows this one; it stays as long as the bot. */
  readonly token: string
}

/** A user's status; parts that are not set are absent. */
export interface StoredStatus {
  readonly status_text?: string
  readonly emoji_name?: string
  readonly emoji_code?: string
  readonly reaction_type?: ReactionRow['reaction_type']
  /** UNIX seconds; absent: it stays until it is changed. */
  readonly expires_at?: number
}

export interface UserRow {
  id: number
  delivery_email: string
  full_name: string
  role: number
  is_active: boolean
  is_bot: boolean
  bot_type: number | null
  bot_owner_id: number | null
  is_system_bot: boolean
  email_address_visibility: number
  api_key: string
  timezone: string
  avatar_source: string
  avatar_version: number
  /** Path below `/user_avatars/` of an uploaded avatar, without its extension. */
  avatar_path: string | null
  default_all_public_streams: boolean
  default_events_register_stream_id: number | null
  default_sending_stream_id: number | null
  /** Null for all but outgoing-webhook bots. */
  service: BotService | null
  settings: Record<string, unknown>
  /** By id of the organization's custom profile field. */
  profile_data: Record<string, ProfileValue>
  status: StoredStatus
  /** In the order of muting; timestamps are UNIX seconds. */
  muted_users: readonly { readonly id: number; readonly timestamp: number }[]
  /** As written, in the order in which they were added. */
  alert_words: readonly string[]
  /** Names of the onboarding steps that the user has seen. */
  onboarding_seen: readonly string[]
  date_joined: Date
  /** Only the server's command line can grant this. */
  can_create_users: boolean
  can_change_user_emails: boolean
  /** Permanently deactivated, with personal data removed. */
  is_deleted: boolean
  /** The user has registered a queue with all_public_streams, so events of public channels name the user in `publicReaders`. */
  reads_public_channels: boolean
  version: number
}

/** The columns of a `UserRow`. */
export const userColumns = (sql: ISql) => sql`
  id, delivery_email, full_name, role, is_active, is_bot, bot_type, bot_owner_id, is_system_bot,
  email_address_visibility, api_key, timezone, avatar_source, avatar_version, avatar_path, default_all_public_streams,
  default_events_register_stream_id, default_sending_stream_id, service, settings, profile_data, status, muted_users, alert_words, onboarding_seen, date_joined,
  can_create_users, can_change_user_emails, is_deleted, reads_public_channels, version`

/**
 * The users that a guest can see: itself, bots, active users who share a channel or a conversation with the guest, and all users
 * in a one-to-one conversation with the guest.
 */
export async function usersKnownTo(sql: ISql, userId: number): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select id from users where id = ${userId} or is_bot
    union
    select theirs.user_id from subscriptions mine
      join subscriptions theirs on theirs.channel_id = mine.channel_id and theirs.is_active
      join users on users.id = theirs.user_id and users.is_active
      where mine.user_id = ${userId} and mine.is_active
    union
    select users.id from conversations join users on users.id = any(conversations.user_ids)
      where conversations.user_ids @> array[${userId}]::int[] and (users.is_active or cardinality(conversations.user_ids) = 2)`
  return rows.map(row => row.id)
}

/** The inverse of `usersKnownTo`: the guests among `viewerIds` who can see the user. */
export async function guestsWhoKnow(sql: ISql, userId: number, viewerIds: readonly number[]): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    with viewers as (select unnest(${viewerIds as number[]}::int[]) as id),
      known as (select is_active from users where id = ${userId})
    select viewers.id from viewers join subscriptions mine on mine.user_id = viewers.id and mine.is_active
      join subscriptions theirs on theirs.channel_id = mine.channel_id and theirs.user_id = ${userId} and theirs.is_active
      cross join known where known.is_active
    union
    select viewers.id from conversations cross join known join viewers on viewers.id = any(conversations.user_ids)
      where conversations.user_ids @> array[${userId}]::int[] and (known.is_active or cardinality(conversations.user_ids) = 2)`
  return rows.map(row => row.id)
}

/** The password hash, which is not in the directory. Null: the user does not exist or has no password. */
export async function readPasswordHash(sql: ISql, userId: number): Promise<string | null> {
  const [row] = await sql<{ password_hash: string | null }[]>`select password_hash from users where id = ${userId}`
  return row?.password_hash ?? null
}

/** Whether another account has the address; the database compares lower-case addresses. */
export async function isEmailTaken(sql: ISql, email: string, ownId: number | null): Promise<boolean> {
  const rows =
    await sql`select from users where lower(delivery_email) = lower(${email}) and id is distinct from ${ownId}`
  return rows.length > 0
}

/** Which of the addresses have accounts, spelled as given; letter case does not count. */
export function accountsWith(sql: ISql, emails: readonly string[]): Promise<{ email: string; is_active: boolean }[]> {
  return sql<{ email: string; is_active: boolean }[]>`
    select given.email, is_active from unnest(${emails as string[]}::text[]) with ordinality as given (email, position)
    join users on lower(delivery_email) = lower(given.email) order by position`
}

type NewUser = Pick<
  UserRow,
  | 'delivery_email'
  | 'full_name'
  | 'role'
  | 'is_bot'
  | 'bot_type'
  | 'bot_owner_id'
  | 'is_system_bot'
  | 'email_address_visibility'
  | 'api_key'
  | 'timezone'
  | 'settings'
> & { readonly password_hash: string | null }

/** Inserts a user. Email addresses are unique in lower case: a second account with the address fails with 23505. */
export async function insertUser(tx: Tx, user: NewUser, version: number): Promise<UserRow> {
  const [row] = await tx<UserRow[]>`
    insert into users (delivery_email, full_name, role, is_bot, bot_type, bot_owner_id, is_system_bot,
      email_address_visibility, api_key, timezone, settings, password_hash, version)
    values (${user.delivery_email}, ${user.full_name}, ${user.role}, ${user.is_bot}, ${user.bot_type}, ${user.bot_owner_id},
      ${user.is_system_bot}, ${user.email_address_visibility}, ${user.api_key}, ${user.timezone}, ${asJson(tx, user.settings)},
      ${user.password_hash}, ${version})
    returning ${userColumns(tx)}`
  if (!row) throw new Error('no user row came back')
  return row
}

export async function setPasswordHash(sql: ISql, userId: number, passwordHash: string): Promise<void> {
  await sql`update users set password_hash = ${passwordHash} where id = ${userId}`
}
