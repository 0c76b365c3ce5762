import { z } from 'zod'
import type { RealmSettingName } from '../../../shared/resources/realm-settings.js'

const yes = (doc: string) => z.boolean().describe(doc)
const one = <Value extends string | number>(values: readonly Value[], doc: string) =>
  z.literal(values as [Value, ...Value[]]).describe(doc)
const text = (longest: number, doc: string) => z.string().max(longest).describe(doc)
const limit = (doc: string) => z.int().min(1).max(2_147_483_647).nullable().describe(`${doc} Seconds; null: no limit.`)
const channel = (doc: string) => z.int().min(-1).describe(`${doc} The id of a channel; -1: none.`)

const web = z.url({ protocol: /^https?$/ })

/** The schemas of the organization's texts that are no settings. */
export const organizationTexts = {
  name: z.string().trim().min(1).max(40).describe('Its name.'),
  description: text(1000, 'What it is for; Markdown.'),
} as const

/**
 * The schemas of the settings that can be changed. Settings of realm-settings.ts that are missing here are properties of the server, have
 * no effect in it, or have no event that would report a change to clients.
 */
export const organizationRules = {
  allow_message_editing: yes('Messages may be edited.'),
  authentication_methods: z
    .strictObject({ Email: z.strictObject({ enabled: z.boolean(), available: z.literal(true) }) })
    .describe('How people sign in: with address and password, or by tokens alone.'),
  avatar_changes_disabled: yes('Nobody changes its own picture.'),
  default_avatar_source: one(['G', 'J'], 'The picture of who has none.'),
  default_code_block_language: text(30, 'Of code blocks that name none.'),
  default_language: z
    .string()
    .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'no language code')
    .describe('Language code, `en`.'),
  digest_emails_enabled: yes('Clients offer a weekly mail.'),
  digest_weekday: z.int().min(0).max(6).describe('The day of that mail: 0 is Monday.'),
  disallow_disposable_email_addresses: yes('Addresses of throw-away services are not welcome.'),
  email_changes_disabled: yes('Nobody but administrators changes its own address.'),
  emails_restricted_to_domains: yes('Only addresses of certain domains may join: there are none yet.'),
  enable_guest_user_dm_warning: yes('Clients warn of guests in direct messages.'),
  enable_guest_user_indicator: yes('Clients mark the names of guests.'),
  enable_read_receipts: yes('Clients show who has read a message.'),
  enable_spectator_access: yes('Visitors without an account may read web-public channels.'),
  gif_rating_policy: one([0, 1, 2, 3, 4, 5], 'Which pictures clients offer: 0 none, 1 Y, 2 G, 3 PG, 4 PG-13, 5 R.'),
  inline_image_preview: yes('Clients show pictures that are linked.'),
  inline_url_embed_preview: yes('Clients show what is linked.'),
  invite_required: yes('Who wants to join has to be invited.'),
  jitsi_server_url: web.nullable().describe('Server of video calls; null: that of the server.'),
  media_preview_size: one([100, 150, 200], 'Size of previews in percent.'),
  message_content_allowed_in_email_notifications: yes('Mails may hold what people wrote.'),
  message_content_delete_limit_seconds: limit('How long people may delete their messages.'),
  message_content_edit_limit_seconds: limit('How long people may edit their messages.'),
  message_edit_history_visibility_policy: one(['all', 'moves', 'none'], 'What is shown of earlier forms of messages.'),
  message_retention_days: z
    .int()
    .refine(days => days === -1 || days > 0, '-1 or a number of days')
    .describe('Days; -1: for ever.'),
  moderation_request_channel_id: channel('Where reports of messages go; a private one.'),
  move_messages_between_streams_limit_seconds: limit('How long messages may be moved to other channels.'),
  move_messages_within_stream_limit_seconds: limit('How long messages may be moved to other topics.'),
  name_changes_disabled: yes('Nobody but administrators changes its own name.'),
  new_stream_announcements_stream_id: channel('Where new channels are announced.'),
  org_type: one([0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000], 'What kind of organization it is.'),
  require_e2ee_push_notifications: yes('Push notifications hold nothing that others can read.'),
  require_unique_names: yes('No two people have the same name.'),
  send_channel_events_messages: yes('The notification bot posts a message in a channel about changes of the channel.'),
  send_welcome_emails: yes('Clients offer a mail of welcome.'),
  service_update_announcements_stream_id: channel('Where news of the server are announced.'),
  signup_announcements_stream_id: channel('Where new people are announced.'),
  topics_policy: one(['allow_empty_topic', 'disable_empty_topic'], 'Whether messages need a topic.'),
  video_chat_provider: one([0, 1], 'Who provides video calls: 0 nobody, 1 Jitsi Meet.'),
  waiting_period_threshold: z.int().min(0).max(3650).describe('Days after which a member is a full member.'),
  want_advertise_in_communities_directory: yes('It wants to be listed among public communities.'),
  welcome_message_custom_text: text(8000, 'A further text of the message that new users get; Markdown.'),
} as const satisfies Partial<Record<RealmSettingName, z.ZodType>>

export type ChangeableSetting = keyof typeof organizationRules
export type OrganizationText = keyof typeof organizationTexts

/** Whether the setting's value is the id of a channel. */
export const namesChannel = (name: string): boolean => /_(stream|channel)_id$/.test(name)

/** What each permission lets its holders do; its value is a group or a set of users and groups. */
export const permissionMeanings = {
  create_multiuse_invite_group: 'Make links that invite many.',
  can_access_all_users_group: 'Know all users, also as a guest: role:everyone or role:members.',
  can_add_subscribers_group: 'Subscribe others to channels.',
  can_add_custom_emoji_group: 'Add emoji.',
  can_create_bots_group: 'Make bots.',
  can_create_groups: 'Make user groups.',
  can_create_public_channel_group: 'Make public channels.',
  can_create_private_channel_group: 'Make private channels.',
  can_create_web_public_channel_group: 'Make channels that are open to the web.',
  can_create_write_only_bots_group: 'Make bots that only send.',
  can_delete_any_message_group: 'Delete messages of any user.',
  can_delete_own_message_group: 'Delete messages of their own.',
  can_invite_users_group: 'Invite people.',
  can_manage_all_groups: 'Change all user groups.',
  can_manage_billing_group: 'See to payments.',
  can_mention_many_users_group: 'Mention all subscribers in large channels.',
  can_move_messages_between_channels_group: 'Move messages to other channels.',
  can_move_messages_between_topics_group: 'Move messages to other topics.',
  can_resolve_topics_group: 'Resolve topics.',
  can_set_delete_message_policy_group: 'Say who deletes messages of a channel.',
  can_set_topics_policy_group: 'Say whether messages of a channel need a topic.',
  can_summarize_topics_group: 'Have topics summarized.',
  direct_message_initiator_group: 'Begin direct conversations.',
  direct_message_permission_group: 'Be in direct conversations: one of those in it has to be.',
} as const
