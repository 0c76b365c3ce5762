import { z } from 'zod'
import { codePoints } from '../../../shared/limits.js'
import { type RealmSettingName, searchLanguages } from '../../../shared/resources/realm-settings.js'
import { wellFormed } from '../../text/content.js'
import { languagesOf } from '../../text/search/stems.js'

const yes = (doc: string) => z.boolean().describe(doc)
const one = <Value extends string | number>(values: readonly Value[], doc: string) =>
  z.literal(values as [Value, ...Value[]]).describe(doc)
/** Text as the store can hold it; its length is counted in code points. */
const storable = (longest: number) =>
  z
    .string()
    .overwrite(wellFormed)
    .refine(value => codePoints(value) <= longest, `Too long: at most ${longest} characters.`)
    .refine(value => !value.includes('\0'), 'Must not contain null bytes.')
    .meta({ maxLength: longest })
const text = (longest: number, doc: string) => storable(longest).describe(doc)
const limit = (doc: string) => z.int().min(1).max(2_147_483_647).nullable().describe(`${doc} Seconds; null: no limit.`)
const channel = (doc: string) =>
  z
    .int()
    .min(-2_147_483_648)
    .max(2_147_483_647)
    .overwrite(id => Math.max(id, -1))
    .describe(`${doc} The id of a channel; -1: none.`)

// A setting that has no effect yet keeps the value that says so, because clients would offer what does not work.
const only = <Value extends string | number | boolean>(value: Value, doc: string, reason: string) =>
  z.literal(value, { error: `cannot be changed: ${reason}` }).describe(doc)

const method = z.strictObject({ enabled: z.boolean(), available: z.literal(true) })

// Each further language makes the search index larger.
const mostLanguages = 3
const anyLanguage = `(?:${searchLanguages.join('|')})`
const languagesPattern = new RegExp(`^(?:none|${anyLanguage}(?:,${anyLanguage}){0,${mostLanguages - 1}})$`)

const web = z.url({ protocol: /^https?$/, error: 'no address that begins with http:// or https://' }).max(200)

/** The schemas of the organization's texts that are no settings. */
export const organizationTexts = {
  name: storable(40)
    .overwrite(value => value.trim())
    .refine(value => value !== '', 'Cannot be blank.')
    .meta({ minLength: 1, maxLength: 40 })
    .describe('Its name.'),
  description: text(1000, 'What it is for; Markdown.'),
} as const

/**
 * The schemas of the settings that can be changed. Settings of realm-settings.ts that are missing here are properties of the server, have
 * no effect in it, or have no event that would report a change to clients.
 */
export const organizationRules = {
  allow_message_editing: yes('Messages may be edited.'),
  authentication_methods: z
    .strictObject({ Email: method, 'OpenID Connect': method.optional(), LDAP: method.optional() })
    .describe(
      'How users sign in: with address and password, with name and password of a directory, with an identity provider, or with tokens only.',
    ),
  avatar_changes_disabled: yes('Users cannot change their own picture.'),
  default_avatar_source: only('G', 'The picture of users without one: Gravatar.', 'the server has no other pictures'),
  default_code_block_language: text(30, 'The language of code blocks that name none.'),
  default_language: z
    .string()
    .max(35)
    .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'no language code')
    .describe('Language code, `en`.'),
  digest_emails_enabled: yes('People who were away get a weekly mail about what happened.'),
  digest_weekday: z.int().min(0).max(6).describe('The day of that mail: 0 is Monday.'),
  disallow_disposable_email_addresses: yes('Users cannot join with addresses of disposable email services.'),
  email_changes_disabled: yes('Only administrators can change their own address.'),
  emails_restricted_to_domains: yes('Only users with addresses of the allowed domains can join.'),
  enable_guest_user_dm_warning: yes('Clients warn of guests in direct messages.'),
  enable_guest_user_indicator: yes('Clients mark the names of guests.'),
  enable_read_receipts: yes('Users see who has read a message.'),
  enable_spectator_access: yes('Spectators may read web-public channels.'),
  gif_rating_policy: one([0, 1, 2, 3, 4, 5], 'Which pictures clients offer: 0 none, 1 Y, 2 G, 3 PG, 4 PG-13, 5 R.'),
  inline_image_preview: yes('Messages show linked pictures and videos.'),
  inline_url_embed_preview: yes('Messages show previews of linked websites, if the server may read these.'),
  invite_required: yes('People need an invitation to join.'),
  jitsi_server_url: web.nullable().describe('Address of the server for video calls; null: the default of the server.'),
  media_preview_size: one([100, 150, 200], 'Size of previews in percent.'),
  message_content_allowed_in_email_notifications: yes('Notification mails may contain the text of messages.'),
  message_content_delete_limit_seconds: limit('How long users may delete their messages.'),
  message_content_edit_limit_seconds: limit('How long users may edit their messages.'),
  message_edit_history_visibility_policy: one(
    ['all', 'moves', 'none'],
    'Which part of the edit history of messages users see.',
  ),
  message_retention_days: z
    .int()
    .min(-1)
    .max(36_500)
    .refine(days => days !== 0, 'must be -1 or at least 1')
    .describe(
      'Days after which messages of channels without another number, and direct messages, are deleted; -1: never.',
    ),
  moderation_request_channel_id: channel('The private channel for reports of messages.'),
  move_messages_between_streams_limit_seconds: limit('How long messages may be moved to other channels.'),
  move_messages_within_stream_limit_seconds: limit('How long messages may be moved to other topics.'),
  name_changes_disabled: yes('Only administrators can change their own name.'),
  new_stream_announcements_stream_id: channel('The channel where new channels are announced.'),
  org_type: one([0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000], 'The kind of organization.'),
  require_e2ee_push_notifications: only(
    false,
    'Push notifications are end-to-end encrypted.',
    'the server sends no push notifications to the apps of the stores',
  ),
  require_unique_names: yes('No two users have the same name.'),
  search_languages: z
    .string()
    .max(8)
    .regex(languagesPattern, `not none, or at most ${mostLanguages} of ${searchLanguages.join(', ')} with commas`)
    .overwrite(value => languagesOf(value).join() || 'none')
    .describe('Languages whose words searches find in other forms, too, as `de,en`; `none`: as they are written.'),
  send_channel_events_messages: yes('The notification bot posts a message in a channel about changes of the channel.'),
  send_welcome_emails: yes('New users get mails of welcome in their first week.'),
  service_update_announcements_stream_id: channel('The channel for news of the server.'),
  signup_announcements_stream_id: channel('The channel where new users are announced.'),
  topics_policy: one(['allow_empty_topic', 'disable_empty_topic'], 'Whether messages need a topic.'),
  upload_quota_mib: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .nullable()
    .describe('MiB that the files of all users may have together; null: no limit.'),
  video_chat_provider: one([0, 1], 'The provider of video calls: 0 none, 1 Jitsi Meet.'),
  waiting_period_threshold: z.int().min(0).max(3650).describe('Days after which a member is a full member.'),
  want_advertise_in_communities_directory: yes('The organization is to be listed among public communities.'),
  welcome_message_custom_text: text(8000, 'Markdown text that is added to the welcome message of new users.'),
} as const satisfies Partial<Record<RealmSettingName, z.ZodType>>

export type ChangeableSetting = keyof typeof organizationRules
export type OrganizationText = keyof typeof organizationTexts

/** Whether the setting's value is the id of a channel. */
export const namesChannel = (name: string): boolean => /_(stream|channel)_id$/.test(name)

/** What each permission lets its holders do; its value is a group or a set of users and groups. */
export const permissionMeanings = {
  create_multiuse_invite_group: 'Create invitation links that several users can use.',
  can_access_all_users_group: 'See all users, also as a guest: role:everyone or role:members.',
  can_add_subscribers_group: 'Subscribe others to channels.',
  can_add_custom_emoji_group: 'Add emoji.',
  can_create_bots_group: 'Create bots.',
  can_create_groups: 'Create user groups.',
  can_create_public_channel_group: 'Create public channels.',
  can_create_private_channel_group: 'Create private channels.',
  can_create_web_public_channel_group: 'Create web-public channels.',
  can_create_write_only_bots_group: 'Create bots that only send messages.',
  can_delete_any_message_group: 'Delete messages of any user.',
  can_delete_own_message_group: 'Delete messages of their own.',
  can_invite_users_group: 'Invite users.',
  can_manage_all_groups: 'Change all user groups.',
  can_manage_billing_group: 'Manage payments.',
  can_mention_many_users_group: 'Mention all subscribers in large channels.',
  can_move_messages_between_channels_group: 'Move messages to other channels.',
  can_move_messages_between_topics_group: 'Move messages to other topics.',
  can_resolve_topics_group: 'Resolve topics.',
  can_set_delete_message_policy_group: 'Set who may delete messages of a channel.',
  can_set_topics_policy_group: 'Set whether messages of a channel need a topic.',
  can_summarize_topics_group: 'Have topics summarized.',
  direct_message_initiator_group: 'Start direct conversations.',
  direct_message_permission_group:
    'Allow a direct conversation by taking part in it: at least one of its users must have this permission.',
} as const
