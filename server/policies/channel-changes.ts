import { ApiError, badRequest } from '../../shared/errors.js'
import type { TopicsPolicy } from '../../shared/resources/channel.js'
import { type GroupSettingValue, sameSettingValue } from '../../shared/resources/group-setting-value.js'
import {
  type ChannelPermission,
  channelPermissionNames,
  channelPermissions,
} from '../../shared/resources/permission-settings.js'
import type { Directory } from '../memory/directory.js'
import type { ChannelRow } from '../store/channels/channels.js'
import type { UserRow } from '../store/users/users.js'
import { mayAdminister, mayReadChannel } from './channel-permissions.js'
import {
  type ChannelDraft,
  requireAdministers,
  requireCoherent,
  requireHolds,
  requireMayMake,
  requireMaySetRetention,
} from './channel-rules.js'
import { checkSettingValue } from './group-setting-value.js'
import { channelGroup, settingValue } from './groups.js'

/** The requested changes of a channel; an absent field stays as it is. */
export interface ChannelChange {
  readonly name?: string
  readonly description?: string
  readonly is_private?: boolean
  readonly is_web_public?: boolean
  readonly history_public_to_subscribers?: boolean
  readonly is_default?: boolean
  /** Days, -1: without end; null: the organization's setting. */
  readonly message_retention_days?: number | null
  readonly unarchive: boolean
  readonly folder_id?: number | null
  readonly topics_policy?: TopicsPolicy
  readonly groups: Readonly<Partial<Record<ChannelPermission, { new: GroupSettingValue; old?: GroupSettingValue }>>>
}

// A holder of these permissions reads the channel, so only a user who reads it may grant them.
const opening: readonly ChannelPermission[] = ['can_add_subscribers_group', 'can_subscribe_group']

/**
 * The channel after the change, if the user may make it (docs/protocol/permissions.md#administering). The database checks unique names,
 * folders and topics. `subscribed`: whether the user is subscribed.
 * @throws {ApiError}
 */
export function changedChannel(
  directory: Directory,
  user: UserRow,
  channel: ChannelRow,
  { subscribed, change }: { readonly subscribed: boolean; readonly change: ChannelChange },
): ChannelDraft {
  if (!mayAdminister(directory, user, channel))
    throw badRequest('You do not have permission to administer this channel.')
  const draft = draftOf(channel, change)
  requireMayChange(user, change)
  if (draft.topics_policy !== channel.topics_policy) {
    requireHolds(directory, user, 'can_set_topics_policy_group')
    // Refused where the channel has named topics, so the answer tells of its content.
    if (draft.topics_policy === 'empty_topic_only') requireContent(directory, user, channel, subscribed)
  }
  requireMayChangeGroups(directory, user, channel, { subscribed, change })
  if (kindOf(draft) !== kindOf(channel)) requireContent(directory, user, channel, subscribed)
  if (draft.invite_only !== channel.invite_only || draft.is_web_public !== channel.is_web_public) {
    requireMayMake(directory, user, draft)
  }
  requireCoherent(directory, draft, channel.id)
  return draft
}

function draftOf(channel: ChannelRow, change: ChannelChange): ChannelDraft {
  const { id: _, date_created: __, version: ___, settings, ...rest } = channel
  const { name, description, is_private, is_web_public, is_default, groups } = change
  const chosen = Object.entries(groups).map(([setting, { new: value }]) => [setting, value] as const)
  return {
    ...rest,
    name: name ?? channel.name,
    description: description ?? channel.description,
    invite_only: is_private ?? channel.invite_only,
    is_web_public: is_web_public ?? channel.is_web_public,
    // `is_private` without a value for the history sets protected history for a private channel.
    history_public_to_subscribers:
      change.history_public_to_subscribers ??
      (is_private === undefined ? channel.history_public_to_subscribers : !is_private),
    is_default: is_default ?? channel.is_default,
    is_archived: channel.is_archived && !change.unarchive,
    message_retention_days:
      change.message_retention_days === undefined ? channel.message_retention_days : change.message_retention_days,
    folder_id: change.folder_id === undefined ? channel.folder_id : change.folder_id,
    topics_policy: change.topics_policy ?? channel.topics_policy,
    settings: { ...settings, ...Object.fromEntries(chosen) },
  }
}

const kindOf = ({ invite_only, is_web_public, history_public_to_subscribers }: ChannelDraft | ChannelRow): string =>
  [invite_only, is_web_public, history_public_to_subscribers].join()

// Checked also where the value is the present one: otherwise the answer would reveal that value to a user who may not set it.
function requireMayChange(user: UserRow, change: ChannelChange): void {
  if (change.is_default !== undefined) requireAdministers(user)
  if (change.message_retention_days !== undefined) requireMaySetRetention(user)
}

function requireMayChangeGroups(
  directory: Directory,
  user: UserRow,
  channel: ChannelRow,
  { subscribed, change: { groups } }: { readonly subscribed: boolean; readonly change: ChannelChange },
): void {
  for (const name of channelPermissionNames) {
    const wanted = groups[name]
    if (!wanted) continue
    const present = settingValue(directory, channelGroup(directory, channel, name))
    if (wanted.old !== undefined && !sameSettingValue(wanted.old, present)) {
      throw new ApiError('EXPECTATION_MISMATCH', `'old' value of '${name}' does not match the present one.`, {
        field_name: 'old',
      })
    }
    if (sameSettingValue(wanted.new, present)) continue
    checkSettingValue(directory, name, channelPermissions[name], wanted.new)
    if (opening.includes(name)) requireContent(directory, user, channel, subscribed)
    if (name === 'can_delete_any_message_group' || name === 'can_delete_own_message_group') {
      requireHolds(directory, user, 'can_set_delete_message_policy_group')
    }
  }
}

function requireContent(directory: Directory, user: UserRow, channel: ChannelRow, subscribed: boolean): void {
  if (!mayReadChannel(directory, user, channel, subscribed)) throw badRequest('Channel content access is required.')
}
