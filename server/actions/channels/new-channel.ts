import { ApiError, badRequest } from '../../../shared/errors.js'
import type { TopicsPolicy } from '../../../shared/resources/channel.js'
import {
  type GroupSettingValue,
  sameSettingValue,
  settingValueKey,
} from '../../../shared/resources/group-setting-value.js'
import { type ChannelPermission, channelPermissions } from '../../../shared/resources/permission-settings.js'
import { administrator, owner } from '../../access/allow.js'
import { checkSettingValue, settingGroup } from '../../access/group-setting-value.js'
import { channelGroup, isInGroup, realmGroup, realmSetting, systemGroup } from '../../access/groups.js'
import { channelFoldersExist } from '../../store/channel-folders.js'
import { type ChannelRow, insertChannels } from '../../store/channels.js'
import type { Tx } from '../../store/db.js'
import type { Directory } from '../../store/directory.js'
import { bumpVersion } from '../../store/organization.js'
import type { UserRow } from '../../store/users.js'
import { renderDescription } from '../../text/markdown.js'

/** What a request says of the channels that it makes. */
export interface NewChannelSettings {
  readonly invite_only: boolean
  readonly is_web_public: boolean
  readonly is_default_stream: boolean
  readonly history_public_to_subscribers?: boolean | undefined
  /** Days, -1 for ever; null: the organization's. */
  readonly message_retention_days: number | null
  readonly topics_policy?: TopicsPolicy | undefined
  readonly folder_id?: number | undefined
  readonly groups: Readonly<Partial<Record<ChannelPermission, GroupSettingValue>>>
}

/** A channel before it has an id: its settings are values, not groups yet. */
export type ChannelDraft = Omit<ChannelRow, 'id' | 'date_created' | 'version' | 'settings'> & {
  readonly settings: Readonly<Record<string, GroupSettingValue>>
}

export type CreatedChannel = ChannelDraft & Pick<ChannelRow, 'id' | 'date_created'>

/** Refuses what the creator may not make (endpoints.json E1), and says what a new channel would be. */
export function draftChannel(
  directory: Directory,
  creator: UserRow,
  wanted: { name: string; description: string },
  settings: NewChannelSettings,
): ChannelDraft {
  checkPrivacy(directory, creator, settings)
  const draft: ChannelDraft = {
    name: wanted.name,
    description: wanted.description,
    rendered_description: renderDescription(wanted.description),
    creator_id: creator.id,
    invite_only: settings.invite_only,
    is_web_public: settings.is_web_public,
    history_public_to_subscribers: settings.invite_only ? (settings.history_public_to_subscribers ?? false) : true,
    is_archived: false,
    is_default: settings.is_default_stream,
    message_retention_days: settings.message_retention_days,
    folder_id: settings.folder_id ?? null,
    topics_policy: settings.topics_policy ?? 'inherit',
    settings: {
      can_administer_channel_group: { direct_members: [creator.id], direct_subgroups: [] },
      ...settings.groups,
    },
  }
  checkPolicies(directory, creator, settings)
  checkGroups(directory, creator, draft, settings)
  return draft
}

function checkPrivacy(directory: Directory, creator: UserRow, settings: NewChannelSettings): void {
  const { invite_only, is_web_public, is_default_stream } = settings
  if (invite_only && is_web_public) throw badRequest('A private channel cannot be open to the web.')
  if (is_web_public && !realmSetting(directory, 'enable_spectator_access')) {
    throw badRequest('Web-public channels are not enabled.')
  }
  const permission = is_web_public
    ? 'can_create_web_public_channel_group'
    : invite_only
      ? 'can_create_private_channel_group'
      : 'can_create_public_channel_group'
  if (!isInGroup(directory, creator.id, realmGroup(directory, permission))) throw badRequest('Insufficient permission')
  if (!is_default_stream) return
  if (creator.role > administrator) throw badRequest('Insufficient permission')
  if (invite_only) throw badRequest('A default channel cannot be private.')
}

function checkPolicies(directory: Directory, creator: UserRow, settings: NewChannelSettings): void {
  if (settings.message_retention_days !== null && creator.role > owner) {
    throw new ApiError('UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner')
  }
  if ((settings.topics_policy ?? 'inherit') !== 'inherit') {
    requireRealm(directory, creator, 'can_set_topics_policy_group')
  }
}

function checkGroups(
  directory: Directory,
  creator: UserRow,
  draft: ChannelDraft,
  { groups }: NewChannelSettings,
): void {
  for (const [name, value] of Object.entries(groups) as [ChannelPermission, GroupSettingValue][]) {
    checkSettingValue(directory, name, channelPermissions[name], value)
  }
  if (groups.can_delete_any_message_group !== undefined || groups.can_delete_own_message_group !== undefined) {
    requireRealm(directory, creator, 'can_set_delete_message_policy_group')
  }
  // Whoever cannot see old topics cannot tell a new one from them.
  if (draft.invite_only && !draft.history_public_to_subscribers) {
    const creators = channelGroup(directory, draft, 'can_create_topic_group')
    if (!sameSettingValue(creators, systemGroup(directory, 'role:everyone'))) {
      throw badRequest('In a private channel with protected history, everyone may create topics.')
    }
  }
}

function requireRealm(
  directory: Directory,
  user: UserRow,
  permission: 'can_set_topics_policy_group' | 'can_set_delete_message_policy_group',
): void {
  if (!isInGroup(directory, user.id, realmGroup(directory, permission))) throw badRequest('Insufficient permission')
}

/** The transaction holds the organization for a change. */
export async function createChannels(
  tx: Tx,
  directory: Directory,
  drafts: readonly ChannelDraft[],
): Promise<CreatedChannel[]> {
  const folderIds = new Set(drafts.flatMap(draft => draft.folder_id ?? []))
  if (!(await channelFoldersExist(tx, [...folderIds]))) throw badRequest('Invalid channel folder ID')
  const version = await bumpVersion(tx)
  const stored = await storedSettings(tx, directory, drafts, version)
  const rows = await insertChannels(
    tx,
    drafts.map(({ is_archived: _, ...draft }, i) => ({ ...draft, settings: stored[i] ?? {} })),
    version,
  )
  const made = new Map(rows.map(row => [row.name, row]))
  return drafts.map(draft => {
    const row = made.get(draft.name)
    // The directory knows no such name, so it is only the database that holds two letters to be the same.
    if (!row) throw new ApiError('CHANNEL_ALREADY_EXISTS', 'Channel already exists', { channel_name: draft.name })
    return { ...draft, id: row.id, date_created: row.date_created }
  })
}

// Channels of one request have the same values: each set becomes a group once.
async function storedSettings(
  tx: Tx,
  directory: Directory,
  drafts: readonly ChannelDraft[],
  version: number,
): Promise<Record<string, number>[]> {
  const groups = new Map<string, number>()
  const stored: Record<string, number>[] = []
  for (const draft of drafts) {
    const settings: Record<string, number> = {}
    for (const [name, value] of Object.entries(draft.settings)) {
      const key = settingValueKey(value)
      const id = groups.get(key) ?? (await settingGroup(tx, directory, value, version))
      groups.set(key, id)
      settings[name] = id
    }
    stored.push(settings)
  }
  return stored
}
