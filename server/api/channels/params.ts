import { z } from 'zod'
import { ApiError } from '../../../shared/errors.js'
import { codePoints, limits } from '../../../shared/limits.js'
import { topicsPolicies } from '../../../shared/resources/channel.js'
import { type ChannelPermission, channelPermissionNames } from '../../../shared/resources/permission-settings.js'
import type { NewChannelSettings } from '../../actions/channels/new-channel.js'
import { budgets } from '../../config/budgets.js'
import { boolean, idList, integer, json, list, text, word } from '../../params/schemas.js'
import { cleanName, isNameText } from '../../text/clean-name.js'
import { wellFormed } from '../../text/content.js'
import { groupSetting, groupSettingChange } from '../group-setting-params.js'

/** The name in the form in which the server stores it (docs/protocol/names.md). */
export const channelName = z
  .string()
  .transform(cleanName)
  .refine(name => name !== '', 'Channel name cannot be empty.')
  .refine(name => codePoints(name) <= limits.max_stream_name_length, 'Channel name too long.')
  .refine(isNameText, 'Invalid character in channel name.')
  .meta({ minLength: 1, maxLength: limits.max_stream_name_length })

/** The name of a channel that may exist: checked in the same way, but kept as sent, because older names are stored so. */
export const namedChannel = z
  .string()
  .superRefine((name, context) => {
    for (const { message } of channelName.safeParse(name).error?.issues ?? []) context.addIssue(message)
  })
  .transform(name => name.trim())
  .meta({ minLength: 1, maxLength: limits.max_stream_name_length })

export const channelDescription = z
  .string()
  .refine(text => codePoints(text) <= limits.max_stream_description_length, 'Channel description too long.')
  .refine(text => !text.includes('\0'), 'Invalid character in channel description.')
  .transform(text => wellFormed(text).replace(/\r\n?|\n/g, ' '))
  .meta({ maxLength: limits.max_stream_description_length })

export const colorPattern = /^#[0-9a-fA-F]{3,6}$/

/** `#` and 3 to 6 hex digits, converted to the 6 lower-case digits that clients expect. */
export const color = z
  .string()
  .regex(colorPattern)
  .max(7)
  .transform(text => {
    const digits = text.slice(1).toLowerCase()
    return digits.length === 6 ? text.toLowerCase() : `#${[...digits.slice(0, 3)].map(digit => digit + digit).join('')}`
  })

/** Users by id, or by their emails in the API. */
export const principals = json(
  z.union([idList(budgets.principalsPerRequest.most), list(text(), budgets.principalsPerRequest.most)]),
)

const holdersPhrases: Readonly<Record<ChannelPermission, string>> = {
  can_add_subscribers_group: 'Who may subscribe others.',
  can_administer_channel_group: 'Who may change the channel.',
  can_create_topic_group: 'Who may begin topics.',
  can_delete_any_message_group: 'Who may delete messages of any user.',
  can_delete_own_message_group: 'Who may delete messages of their own.',
  can_move_messages_out_of_channel_group: 'Who may move messages to other channels.',
  can_move_messages_within_channel_group: 'Who may move messages to other topics.',
  can_remove_subscribers_group: 'Who may unsubscribe others.',
  can_resolve_topics_group: 'Who may resolve topics.',
  can_send_message_group: 'Who may post.',
  can_subscribe_group: 'Who may subscribe also when the channel is private.',
}

/** One parameter for each permission of a channel. */
function permissionParams<Schema extends z.ZodType>(schema: () => Schema): Record<ChannelPermission, Schema> {
  const entries = channelPermissionNames.map(name => [name, schema().describe(holdersPhrases[name])])
  return Object.fromEntries(entries)
}

/** A changed value for each permission of a channel; with `old`, the change applies only if that is still the value. */
export const changedHolders = permissionParams(() => json(groupSettingChange).optional())

const mostDays = 2_147_483_647

/** Checked by `retentionDays`, with an error code of its own. */
export const retentionParam = () =>
  json(
    z.union([z.int().meta({ minimum: 1, maximum: mostDays }), text().meta({ enum: ['realm_default', 'unlimited'] })]),
  )

/** Parameters of all operations that create channels. */
export const newChannelParams = {
  announce: boolean().default(false).describe('Whether the notification bot announces new channels.'),
  invite_only: boolean().default(false).describe('New channels are private.'),
  is_web_public: boolean().default(false).describe('New channels are web-public: open to spectators.'),
  is_default_stream: boolean().default(false).describe('New members are subscribed to the new channels.'),
  history_public_to_subscribers: boolean()
    .optional()
    .describe('Whether new subscribers of a private channel see earlier messages.'),
  message_retention_days: retentionParam()
    .default('realm_default')
    .describe('Days; `realm_default`: as the organization decides.'),
  topics_policy: word(...topicsPolicies)
    .optional()
    .describe('Whether messages need a topic.'),
  ...permissionParams(() => json(groupSetting).optional()),
  folder_id: integer({ min: 0, max: 2_147_483_647 }).optional().describe('The folder of the new channels.'),
}

type NewChannelParams = z.output<z.ZodObject<typeof newChannelParams>>

export function newChannelSettings(params: NewChannelParams): NewChannelSettings {
  const { invite_only, is_web_public, is_default_stream, history_public_to_subscribers, topics_policy, folder_id } =
    params
  const groups: Partial<Record<ChannelPermission, NonNullable<NewChannelParams[ChannelPermission]>>> = {}
  for (const name of channelPermissionNames) {
    const value = params[name]
    if (value !== undefined) groups[name] = value
  }
  return {
    invite_only,
    is_web_public,
    is_default_stream,
    history_public_to_subscribers,
    message_retention_days: retentionDays(params.message_retention_days),
    topics_policy,
    folder_id,
    groups,
  }
}

/** Days in the form of the store; null: the organization's setting applies; -1: unlimited. */
export function retentionDays(value: number | string): number | null {
  if (value === 'realm_default') return null
  if (value === 'unlimited') return -1
  if (typeof value === 'number' && value > 0 && value <= mostDays) return value
  throw new ApiError('REQUEST_VARIABLE_INVALID', `Bad value for 'message_retention_days': ${value}`, {
    var_name: 'message_retention_days',
    bad_value: value,
  })
}
