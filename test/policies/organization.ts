import { Directory } from '../../server/memory/directory.js'
import type { ChannelRow } from '../../server/store/channels/channels.js'
import type { Sql } from '../../server/store/driver/db.js'
import type { GroupRow } from '../../server/store/groups/groups.js'
import type { UserRow } from '../../server/store/users/users.js'

/** In the order of nesting; `role:nobody` is separate. */
const roleGroups = ['internet', 'everyone', 'members', 'fullmembers', 'moderators', 'administrators', 'owners']

/** An organization in memory with a directory, without a database. */
export class Organization {
  readonly directory: Directory

  constructor(settings: Record<string, unknown> = {}) {
    this.directory = new Directory(null as unknown as Sql)
    this.directory.organization = {
      uuid: '',
      secret: '',
      name: 'Test',
      description: '',
      settings,
      user_settings_defaults: {},
      pictures: {},
      is_active: true,
      date_created: new Date(0),
      full_members_as_of: new Date(),
      version: 1,
    }
    for (const [i, name] of [...roleGroups, 'nobody'].entries()) {
      const subgroups = i < roleGroups.length - 1 ? [i + 2] : []
      this.group({ id: i + 1, name: `role:${name}`, is_system_group: true, subgroups })
    }
  }

  user(fields: Partial<UserRow> & { id: number }): UserRow {
    const row: UserRow = {
      delivery_email: `u${fields.id}@test.example`,
      full_name: `User ${fields.id}`,
      role: 400,
      is_active: true,
      is_bot: false,
      bot_type: null,
      bot_owner_id: null,
      is_system_bot: false,
      email_address_visibility: 1,
      api_key: '',
      timezone: '',
      status: {},
      muted_users: [],
      alert_words: [],
      avatar_source: 'G',
      avatar_version: 1,
      avatar_path: null,
      onboarding_seen: [],
      default_all_public_streams: false,
      default_events_register_stream_id: null,
      default_sending_stream_id: null,
      service: null,
      settings: {},
      profile_data: {},
      date_joined: new Date(0),
      can_create_users: false,
      can_change_user_emails: false,
      is_deleted: false,
      reads_public_channels: false,
      version: 1,
      ...fields,
    }
    this.directory.users.set(row.id, row)
    this.directory.generation++
    return row
  }

  group(fields: Partial<GroupRow> & { id: number }): GroupRow {
    const row: GroupRow = {
      name: `group ${fields.id}`,
      description: '',
      is_system_group: false,
      deactivated: false,
      creator_id: null,
      date_created: new Date(0),
      settings: {},
      version: 1,
      members: [],
      subgroups: [],
      ...fields,
    }
    this.directory.groups.set(row.id, row)
    if (row.name) this.directory.groupsByName.set(row.name, row)
    this.directory.generation++
    return row
  }

  channel(fields: Partial<ChannelRow> = {}): ChannelRow {
    const row: ChannelRow = {
      id: this.directory.channels.size + 1,
      name: 'channel',
      description: '',
      rendered_description: '',
      creator_id: null,
      date_created: new Date(0),
      invite_only: false,
      is_web_public: false,
      history_public_to_subscribers: true,
      is_archived: false,
      is_default: false,
      message_retention_days: null,
      folder_id: null,
      topics_policy: 'inherit',
      settings: {},
      version: 1,
      ...fields,
    }
    this.directory.channels.set(row.id, row)
    this.directory.generation++
    return row
  }

  system(name: string): number {
    return this.directory.groupsByName.get(`role:${name}`)?.id ?? -1
  }
}
