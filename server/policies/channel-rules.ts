import { ApiError, badRequest } from '../../shared/errors.js'
import { type GroupSettingValue, sameSettingValue } from '../../shared/resources/group-setting-value.js'
import type { Directory } from '../memory/directory.js'
import type { ChannelRow } from '../store/channels/channels.js'
import type { UserRow } from '../store/users/users.js'
import { channelGroup, isInGroup, realmGroup, systemGroup } from './groups.js'
import { administrator, owner } from './roles.js'
import { realmSetting } from './settings.js'
import { isOpenToWeb } from './spectators.js'

/** A channel that is being created or changed; its settings may be values instead of group ids. */
export type ChannelDraft = Omit<ChannelRow, 'id' | 'date_created' | 'version' | 'settings'> & {
  readonly settings: Readonly<Record<string, GroupSettingValue>>
}

/** A channel that the transaction has created. */
export type CreatedChannel = ChannelDraft & Pick<ChannelRow, 'id' | 'date_created'>

type Kind = Pick<ChannelDraft, 'invite_only' | 'is_web_public'>

/** Throws unless the user may create channels of this kind, which also permits turning a channel into one. */
export function requireMayMake(directory: Directory, user: UserRow, { invite_only, is_web_public }: Kind): void {
  if (is_web_public && !isOpenToWeb(directory)) {
    throw badRequest('Web-public channels are not enabled.')
  }
  const permission = is_web_public
    ? 'can_create_web_public_channel_group'
    : invite_only
      ? 'can_create_private_channel_group'
      : 'can_create_public_channel_group'
  requireHolds(directory, user, permission)
}

type PolicyPermission =
  | 'can_create_public_channel_group'
  | 'can_create_private_channel_group'
  | 'can_create_web_public_channel_group'
  | 'can_set_topics_policy_group'
  | 'can_set_delete_message_policy_group'

export function requireHolds(directory: Directory, user: UserRow, permission: PolicyPermission): void {
  if (!isInGroup(directory, user.id, realmGroup(directory, permission))) throw badRequest('Insufficient permission')
}

/** Only administrators choose default channels and default push notifications. */
export function requireAdministers(user: UserRow): void {
  if (user.role > administrator) throw badRequest('Insufficient permission')
}

/** @throws {ApiError} UNAUTHORIZED_PRINCIPAL */
export function requireMaySetRetention(user: UserRow): void {
  if (user.role > owner) throw new ApiError('UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner')
}

/** Throws for combinations that no channel may have, for every caller. `id`: of an existing channel; null: of a new one. */
export function requireCoherent(directory: Directory, draft: ChannelDraft, id: number | null): void {
  const { invite_only, is_web_public, history_public_to_subscribers, is_default } = draft
  if (is_web_public && invite_only) throw badRequest('A private channel cannot be open to the web.')
  if (!invite_only && !history_public_to_subscribers) {
    throw badRequest('Only private channels can have protected history.')
  }
  if (draft.is_archived && is_default) throw badRequest('A default channel cannot be archived.')
  if (invite_only && is_default) throw badRequest('A default channel cannot be private.')
  if (!invite_only && id !== null && realmSetting(directory, 'moderation_request_channel_id') === id) {
    throw badRequest('The moderation request channel must be private.')
  }
  // A subscriber who cannot see older topics cannot tell whether a topic is new.
  if (invite_only && !history_public_to_subscribers) {
    const creators = channelGroup(directory, draft, 'can_create_topic_group')
    if (!sameSettingValue(creators, systemGroup(directory, 'role:everyone'))) {
      throw badRequest('In a private channel with protected history, everyone may create topics.')
    }
  }
}
