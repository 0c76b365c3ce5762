import { z } from 'zod'
import { topicsPolicies } from '../../../shared/resources/channel.js'
import { channelPermissionNames } from '../../../shared/resources/permission-settings.js'
import { updateChannel } from '../../actions/channels/update-channel.js'
import { boolean, idNumber, json, shortId, word } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import type { ChannelChange } from '../../policies/channel-changes.js'
import { route } from '../route.js'
import { changedHolders, channelDescription, channelName, retentionDays, retentionParam } from './params.js'

const params = z.object({
  stream_id: shortId().describe('The channel.'),
  description: channelDescription.optional().describe('Markdown source.'),
  new_name: channelName.optional().describe('The new name.'),
  is_private: boolean()
    .optional()
    .describe('Whether the channel is private; its history is then protected unless the request sets that, too.'),
  is_web_public: boolean().optional().describe('Web-public: open to spectators.'),
  history_public_to_subscribers: boolean()
    .optional()
    .describe('Whether subscribers of a private channel see messages from before their subscription.'),
  is_default_stream: boolean()
    .optional()
    .describe('Whether new members are subscribed to the channel; only administrators may set it.'),
  message_retention_days: retentionParam()
    .optional()
    .describe('Days; `realm_default`: as the organization decides. Only owners may set it.'),
  is_archived: boolean().optional().describe('False unarchives the channel; true has no effect.'),
  folder_id: json(idNumber.nullable()).optional().describe('The folder of the channel; null: none.'),
  topics_policy: word(...topicsPolicies)
    .optional()
    .describe('Whether messages need a topic, or may have one.'),
  ...changedHolders,
})

export const updateStream = route({
  operation: 'update_stream',
  method: 'PATCH',
  path: '/streams/{stream_id}',
  doc: 'Changes a channel, all or nothing. For administrators and members of `can_administer_channel_group`.',
  allow: anyAccount,
  params,
  returns: z.object({}),
  errors: [
    'BAD_REQUEST',
    'CHANNEL_ALREADY_EXISTS',
    'REQUEST_VARIABLE_INVALID',
    'UNAUTHORIZED_PRINCIPAL',
    'EXPECTATION_MISMATCH',
    'SYSTEM_GROUP_REQUIRED',
  ],
  isAdministrative: true,
  async handle({ ctx, actor, params: { stream_id, ...wanted } }) {
    await updateChannel(ctx, actor, stream_id, changeOf(wanted))
    return {}
  },
})

function changeOf(wanted: Omit<z.output<typeof params>, 'stream_id'>): ChannelChange {
  const { new_name, is_default_stream, message_retention_days, is_archived, ...rest } = wanted
  const groups = channelPermissionNames.flatMap(name => (rest[name] ? [[name, rest[name]] as const] : []))
  return {
    description: rest.description,
    name: new_name,
    is_private: rest.is_private,
    is_web_public: rest.is_web_public,
    history_public_to_subscribers: rest.history_public_to_subscribers,
    is_default: is_default_stream,
    message_retention_days: message_retention_days === undefined ? undefined : retentionDays(message_retention_days),
    unarchive: is_archived === false,
    folder_id: rest.folder_id,
    topics_policy: rest.topics_policy,
    groups: Object.fromEntries(groups),
  }
}
