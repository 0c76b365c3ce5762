import { z } from 'zod'
import { channelObjectSchema } from '../../../shared/resources/channel.js'
import { device } from '../../../shared/resources/device.js'
import { linkifier } from '../../../shared/resources/linkifier.js'
import { navigationView } from '../../../shared/resources/navigation-view.js'
import { presence } from '../../../shared/resources/presence.js'
import { savedSnippet } from '../../../shared/resources/saved-snippet.js'
import { subscriptionSchema } from '../../../shared/resources/subscription.js'
import { user } from '../../../shared/resources/user.js'
import { userGroupObject } from '../../../shared/resources/user-group.js'
import { userSettings } from '../../../shared/resources/user-settings.js'
import { userTopic } from '../../../shared/resources/user-topic.js'
import { realmFields } from './realm-fields.js'

type Fields = Record<string, z.ZodType>

const ids = z.array(z.int())
const texts = z.array(z.string())
/** Schemas of state that the server does not keep; always empty. */
const nothing = z.array(z.record(z.string(), z.unknown())).max(0)
const none = z.record(z.string(), z.never())

const knownChannel = subscriptionSchema.partial().required({ stream_id: true, name: true })
const presences = z.record(
  z.string(),
  z.union([
    presence,
    z.object({ aggregated: z.record(z.string(), z.unknown()), website: z.record(z.string(), z.unknown()) }),
  ]),
)
const unread = z.object({
  count: z.int().describe('Without what is muted.'),
  pms: z.array(z.object({ other_user_id: z.int(), sender_id: z.int(), unread_message_ids: ids })),
  streams: z.array(z.object({ stream_id: z.int(), topic: z.string(), unread_message_ids: ids })),
  huddles: z.array(z.object({ user_ids_string: z.string(), unread_message_ids: ids })),
  mentions: ids,
  old_unreads_missing: z.boolean(),
})
const settings = z.looseObject(userSettings.shape).partial()
const profileField = z.object({
  id: z.int(),
  type: z.int(),
  name: z.string(),
  hint: z.string(),
  field_data: z.string().describe('JSON text, or nothing.'),
  order: z.int(),
  required: z.boolean(),
  editable_by_user: z.boolean(),
  display_in_profile_summary: z.boolean(),
})

const channelFolder = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string().describe('Markdown source.'),
  rendered_description: z.string().describe('HTML.'),
  order: z.int(),
  date_created: z.int().describe('UNIX seconds.'),
  creator_id: z.int().nullable(),
  is_archived: z.boolean(),
})

const byFetchType: Readonly<Record<string, Fields>> = {
  realm: realmFields,
  realm_user: {
    realm_users: z.array(user),
    realm_non_active_users: z.array(user).describe('Deactivated ones.'),
    cross_realm_bots: z.array(user).describe("The server's own bots."),
    avatar_source: z.enum(['G', 'J', 'U']),
    avatar_url: z.string(),
    avatar_url_medium: z.string(),
    can_create_private_streams: z.boolean(),
    can_create_public_streams: z.boolean(),
    can_create_web_public_streams: z.boolean(),
    can_create_streams: z.boolean(),
    can_subscribe_other_users: z.boolean(),
    can_invite_others_to_realm: z.boolean(),
    is_owner: z.boolean(),
    is_admin: z.boolean(),
    is_moderator: z.boolean(),
    is_guest: z.boolean(),
    user_id: z.int(),
    email: z.string(),
    delivery_email: z.string(),
    full_name: z.string(),
  },
  realm_bot: { realm_bots: z.array(z.looseObject({ user_id: z.int() })).describe('Bots that the caller may set up.') },
  realm_user_groups: { realm_user_groups: z.array(userGroupObject) },
  stream: { streams: z.array(channelObjectSchema) },
  subscription: {
    subscriptions: z.array(subscriptionSchema),
    unsubscribed: z.array(knownChannel).describe('Formerly subscribed, and still known.'),
    never_subscribed: z.array(knownChannel).describe('Known, and never subscribed.'),
  },
  default_streams: { realm_default_streams: ids },
  user_topic: { user_topics: z.array(userTopic) },
  muted_topics: {
    muted_topics: z.array(z.tuple([z.string(), z.string(), z.int()])).describe('Deprecated: see `user_topics`.'),
  },
  message: { max_message_id: z.int().describe('Deprecated. -1: none.') },
  starred_messages: { starred_messages: ids },
  recent_private_conversations: {
    recent_private_conversations: z.array(z.object({ max_message_id: z.int(), user_ids: ids })),
  },
  update_message_flags: { unread_msgs: unread.describe('Only together with the fetch type `message`.') },
  presence: {
    presences: presences.describe('By user id in the modern form, by API email in the legacy one.'),
    presence_last_update_id: z.int(),
    server_timestamp: z.number(),
  },
  user_settings: { user_settings: settings },
  realm_user_settings_defaults: { realm_user_settings_defaults: settings },
  custom_profile_fields: {
    custom_profile_fields: z.array(profileField),
    custom_profile_field_types: z.record(z.string(), z.object({ id: z.int(), name: z.string() })),
  },
  realm_linkifiers: { realm_linkifiers: z.array(linkifier) },
  saved_snippets: { saved_snippets: z.array(savedSnippet) },
  navigation_views: { navigation_views: z.array(navigationView) },
  device: { devices: z.record(z.string(), device).describe('By device id.') },
  alert_words: { alert_words: texts },
  channel_folders: { channel_folders: z.array(channelFolder) },
  default_stream_groups: { realm_default_stream_groups: nothing },
  drafts: { drafts: nothing },
  giphy: { giphy_api_key: z.string() },
  muted_users: { muted_users: nothing },
  onboarding_steps: { onboarding_steps: nothing, navigation_tour_video_url: z.string().nullable() },
  realm_billing: { realm_billing: z.object({ has_pending_sponsorship_request: z.boolean() }) },
  realm_domains: { realm_domains: nothing },
  realm_embedded_bots: { realm_embedded_bots: nothing },
  realm_emoji: { realm_emoji: z.record(z.string(), z.record(z.string(), z.unknown())).describe('By emoji id.') },
  realm_filters: { realm_filters: nothing },
  realm_incoming_webhook_bots: { realm_incoming_webhook_bots: nothing },
  realm_playgrounds: { realm_playgrounds: nothing },
  reminders: { reminders: nothing },
  scheduled_messages: { scheduled_messages: nothing },
  stop_words: { stop_words: texts },
  tenor: { tenor_api_key: z.string() },
  user_status: { user_status: none },
  video_calls: { has_zoom_token: z.boolean(), has_webex_token: z.boolean() },
}

/** The fields of the state; each is present only with its fetch type. */
export const registerFields: Fields = Object.fromEntries(
  Object.entries(byFetchType).flatMap(([fetchType, fields]) =>
    Object.entries(fields).map(([name, schema]) => [
      name,
      schema.optional().describe([`With \`${fetchType}\`.`, schema.description].filter(Boolean).join(' ')),
    ]),
  ),
)
