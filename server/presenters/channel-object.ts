import type { ChannelObject } from '../../shared/resources/channel.js'
import type { GroupSettingValue } from '../../shared/resources/group-setting-value.js'
import { type ChannelPermission, channelPermissionNames } from '../../shared/resources/permission-settings.js'
import type { Directory } from '../memory/directory.js'
import { channelGroup, settingValue } from '../policies/groups.js'
import type { ChannelFacts } from '../store/channels/channel-facts.js'
import type { ChannelRow } from '../store/channels/channels.js'

type Row = Omit<ChannelRow, 'settings' | 'version' | 'is_default'> & {
  readonly settings: Readonly<Record<string, GroupSettingValue>>
}

/** A channel on the wire, for users who may know it. */
export function channelObject(directory: Directory, channel: Row, facts: ChannelFacts): ChannelObject {
  const policy = postPolicy(directory, channel)
  return {
    stream_id: channel.id,
    name: channel.name,
    description: channel.description,
    rendered_description: channel.rendered_description,
    date_created: Math.floor(channel.date_created.getTime() / 1000),
    creator_id: channel.creator_id,
    invite_only: channel.invite_only,
    is_web_public: channel.is_web_public,
    history_public_to_subscribers: channel.history_public_to_subscribers,
    is_archived: channel.is_archived,
    is_announcement_only: policy === 2,
    stream_post_policy: policy,
    ...facts,
    message_retention_days: channel.message_retention_days,
    folder_id: channel.folder_id,
    topics_policy: channel.topics_policy,
    ...permissions(directory, channel),
  }
}

function permissions(directory: Directory, channel: Row): Record<ChannelPermission, GroupSettingValue> {
  const values = {} as Record<ChannelPermission, GroupSettingValue>
  for (const name of channelPermissionNames)
    values[name] = settingValue(directory, channelGroup(directory, channel, name))
  return values
}

// The deprecated form of can_send_message_group; a value that it cannot express becomes 1 (all users).
function postPolicy(directory: Directory, channel: Row): 1 | 2 | 3 | 4 {
  const value = channelGroup(directory, channel, 'can_send_message_group')
  const name = typeof value === 'number' ? directory.groups.get(value)?.name : undefined
  if (name === 'role:administrators') return 2
  if (name === 'role:fullmembers') return 3
  return name === 'role:moderators' ? 4 : 1
}
