import { ApiError, badRequest } from '../../../shared/errors.js'
import type { TopicsPolicy } from '../../../shared/resources/channel.js'
import type { GroupSettingValue } from '../../../shared/resources/group-setting-value.js'
import { type ChannelPermission, channelPermissions } from '../../../shared/resources/permission-settings.js'
import type { Directory, WrittenRows } from '../../memory/directory.js'
import {
  type ChannelDraft,
  type CreatedChannel,
  requireAdministers,
  requireCoherent,
  requireHolds,
  requireMayMake,
  requireMaySetRetention,
} from '../../policies/channel-rules.js'
import { checkSettingValue } from '../../policies/group-setting-value.js'
import { channelFoldersExist } from '../../store/channels/channel-folders.js'
import { insertChannels } from '../../store/channels/channels.js'
import type { Tx } from '../../store/driver/db.js'
import { bumpVersion } from '../../store/organization/organization.js'
import type { UserRow } from '../../store/users/users.js'
import { looksInAnyCase } from '../../text/looks.js'
import { renderDescription } from '../descriptions.js'
import { settingGroups } from '../groups/setting-groups.js'
import type { Place } from '../messages/names.js'

/** The settings that a request gives for new channels. */
export interface NewChannelSettings {
  readonly invite_only: boolean
  readonly is_web_public: boolean
  readonly is_default_stream: boolean
  readonly history_public_to_subscribers?: boolean | undefined
  /** Days; -1: without end; null: the organization's setting. */
  readonly message_retention_days: number | null
  readonly topics_policy?: TopicsPolicy | undefined
  readonly folder_id?: number | undefined
  readonly groups: Readonly<Partial<Record<ChannelPermission, GroupSettingValue>>>
}

/** The draft of a new channel. Throws if the creator may not create it (docs/protocol/permissions.md#administering). */
export function draftChannel(
  ctx: Place,
  creator: UserRow,
  wanted: { name: string; description: string },
  settings: NewChannelSettings,
): ChannelDraft {
  const { directory } = ctx
  requireMayMake(directory, creator, settings)
  const draft: ChannelDraft = {
    name: wanted.name,
    description: wanted.description,
    rendered_description: renderDescription(ctx, wanted.description),
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
  checkGroups(directory, creator, settings)
  requireCoherent(directory, draft, null)
  return draft
}

function checkPolicies(directory: Directory, creator: UserRow, settings: NewChannelSettings): void {
  if (settings.is_default_stream) requireAdministers(creator)
  if (settings.message_retention_days !== null) requireMaySetRetention(creator)
  if ((settings.topics_policy ?? 'inherit') !== 'inherit') {
    requireHolds(directory, creator, 'can_set_topics_policy_group')
  }
}

function checkGroups(directory: Directory, creator: UserRow, { groups }: NewChannelSettings): void {
  for (const [name, value] of Object.entries(groups) as [ChannelPermission, GroupSettingValue][]) {
    checkSettingValue(directory, name, channelPermissions[name], value)
  }
  if (groups.can_delete_any_message_group !== undefined || groups.can_delete_own_message_group !== undefined) {
    requireHolds(directory, creator, 'can_set_delete_message_policy_group')
  }
}

/** @throws {ApiError} CHANNEL_ALREADY_EXISTS */
export const nameTaken = (name: string): ApiError =>
  new ApiError('CHANNEL_ALREADY_EXISTS', `Channel '${name}' already exists`, { channel_name: name })

/**
 * Throws for a name that looks like another channel's. The error does not contain that name: the caller may not know the channel. `ownId`:
 * the channel that gets the name; null: a new one. @throws {ApiError} CHANNEL_ALREADY_EXISTS
 */
export function requireDistinctName(directory: Directory, name: string, ownId: number | null): void {
  if (directory.channelLike(name, ownId)) throw looksTaken(name)
}

const looksTaken = (name: string): ApiError =>
  new ApiError('CHANNEL_ALREADY_EXISTS', `A channel whose name looks like '${name}' already exists`, {
    channel_name: name,
  })

function requireDistinctNames(directory: Directory, drafts: readonly ChannelDraft[]): void {
  const taken = new Set<string>()
  for (const { name } of drafts) {
    requireDistinctName(directory, name, null)
    const looks = looksInAnyCase(name)
    if (looks.some(look => taken.has(look))) throw looksTaken(name)
    for (const look of looks) taken.add(look)
  }
}

/** The transaction must hold the organization for a change. @throws {ApiError} CHANNEL_ALREADY_EXISTS */
export async function createChannels(
  tx: Tx,
  directory: Directory,
  drafts: readonly ChannelDraft[],
): Promise<{ created: CreatedChannel[]; written: WrittenRows }> {
  const folderIds = new Set(drafts.flatMap(draft => draft.folder_id ?? []))
  if (!(await channelFoldersExist(tx, [...folderIds]))) throw badRequest('Invalid channel folder ID')
  requireDistinctNames(directory, drafts)
  const version = await bumpVersion(tx)
  // The channels of one request have the same settings, so each set becomes one group.
  const { ids, written: groups } = await settingGroups(tx, directory, drafts[0]?.settings ?? {}, version)
  const rows = await insertChannels(
    tx,
    drafts.map(({ is_archived: _, ...draft }) => ({ ...draft, settings: ids as Record<string, number> })),
    version,
  )
  const made = new Map(rows.map(row => [row.name, row]))
  const created = drafts.map(draft => {
    const row = made.get(draft.name)
    // The directory has no such name, so only the database's collation treats two letters as equal.
    if (!row) throw nameTaken(draft.name)
    return { ...draft, id: row.id, date_created: row.date_created }
  })
  return { created, written: { groups, channels: rows } }
}
