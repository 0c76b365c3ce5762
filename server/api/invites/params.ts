import { z } from 'zod'
import { limits } from '../../../shared/limits.js'
import { role } from '../../../shared/resources/user.js'
import { budgets } from '../../config/budgets.js'
import { boolean, idList, json, storableText } from '../../params/schemas.js'
import { member } from '../../policies/roles.js'

const defaultMinutes = 14_400
// 4,000 years: the end is a date for clients and for the database.
const mostMinutes = 2_147_483_647

export const channelIds = () => json(idList(budgets.channelsPerRequest.most))

/** What mails and links have in common. */
export const termsParams = {
  group_ids: json(idList(budgets.groupsPerList.most))
    .default([])
    .describe('Groups to which the new account is added; the caller may add members to each.'),
  invite_expires_in_minutes: json(z.int().min(1).max(mostMinutes).nullable())
    .default(defaultMinutes)
    .describe('How long the invitation can be used; null: until it is revoked.'),
  invite_as: json(role)
    .default(member)
    .describe('100 owner (by owners), 200 administrator and 300 moderator (by administrators), 400 member, 600 guest.'),
  include_realm_default_subscriptions: boolean()
    .default(false)
    .describe('Subscribe the new account to the default channels, too.'),
  welcome_message_custom_text: storableText(limits.welcome_message_length)
    .optional()
    .describe('The text that the new account gets in place of that of the organization. For administrators.'),
}

type Sent = z.output<z.ZodObject<typeof termsParams>>

export const termsOf = (params: Sent & { readonly stream_ids: readonly number[] }) => ({
  role: params.invite_as,
  channelIds: params.stream_ids,
  groupIds: params.group_ids,
  withDefaultChannels: params.include_realm_default_subscriptions,
  minutes: params.invite_expires_in_minutes,
  welcomeText: params.welcome_message_custom_text?.trim() || null,
})
