import type { ISql } from './db.js'

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
  default_all_public_streams: boolean
  default_events_register_stream_id: number | null
  settings: Record<string, unknown>
  profile_data: Record<string, unknown>
  date_joined: Date
  version: number
}

/** Users changed after organization version `after`; all of them for 0. */
export async function usersChangedAfter(sql: ISql, after: number): Promise<UserRow[]> {
  return sql<UserRow[]>`
    select id, delivery_email, full_name, role, is_active, is_bot, bot_type, bot_owner_id, is_system_bot,
      email_address_visibility, api_key, timezone, avatar_source, avatar_version, default_all_public_streams,
      default_events_register_stream_id, settings, profile_data, date_joined, version
    from users where version > ${after}`
}
