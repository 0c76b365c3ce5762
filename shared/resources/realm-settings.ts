import { externalAccounts } from './custom-profile-field.js'

/** Languages whose words searches can find in other forms. */
export const searchLanguages = ['de', 'en', 'es', 'fr', 'it', 'nl', 'pt', 'ru'] as const
export type SearchLanguage = (typeof searchLanguages)[number]

/**
 * Settings of the organization with their defaults (`realm_<name>` on the wire). The store contains only values that
 * differ. permission-settings.ts has the permissions. `service_…` stands for the brand, in the store too.
 */
export const realmSettingDefaults = {
  allow_message_editing: true,
  avatar_changes_disabled: false,
  default_avatar_source: 'G' as 'G' | 'J',
  default_code_block_language: '',
  default_language: 'en',
  digest_emails_enabled: false,
  /** 0 is Monday. */
  digest_weekday: 1,
  disallow_disposable_email_addresses: false,
  email_changes_disabled: false,
  emails_restricted_to_domains: false,
  enable_guest_user_dm_warning: true,
  enable_guest_user_indicator: true,
  enable_read_receipts: false,
  enable_spectator_access: false,
  gif_rating_policy: 2 as 0 | 1 | 2 | 3 | 4 | 5,
  inline_image_preview: true,
  inline_url_embed_preview: false,
  invite_required: true,
  jitsi_server_url: null as string | null,
  media_preview_size: 100 as 100 | 150 | 200,
  message_content_allowed_in_email_notifications: true,
  /** In seconds; null: no limit. */
  message_content_edit_limit_seconds: 600 as number | null,
  message_content_delete_limit_seconds: 600 as number | null,
  message_edit_history_visibility_policy: 'all' as 'all' | 'moves' | 'none',
  move_messages_between_streams_limit_seconds: 604800 as number | null,
  move_messages_within_stream_limit_seconds: 604800 as number | null,
  /** In days; -1: unlimited. */
  message_retention_days: -1,
  name_changes_disabled: false,
  push_notifications_enabled: false,
  require_e2ee_push_notifications: false,
  require_unique_names: false,
  /** Of `searchLanguages`, with commas; `none`: words are found as they are written. */
  search_languages: 'de,en',
  send_channel_events_messages: false,
  send_welcome_emails: true,
  topics_policy: 'allow_empty_topic' as 'allow_empty_topic' | 'disable_empty_topic',
  video_chat_provider: 1 as 0 | 1 | 3 | 4 | 5 | 6 | 7,
  /** Days until a new member becomes a full member. */
  waiting_period_threshold: 0,
  want_advertise_in_communities_directory: false,
  welcome_message_custom_text: '',
  authentication_methods: { Email: { enabled: true, available: true } } as Record<
    string,
    { enabled: boolean; available: boolean }
  >,
  presence_disabled: false,
  empty_topic_display_name: 'general chat',
  upload_quota_mib: null as number | null,
  org_type: 0 as 0 | 10 | 20 | 30 | 35 | 40 | 50 | 60 | 70 | 80 | 90 | 100 | 1000,
  plan_type: 1 as 1 | 2 | 3 | 4 | 10,
  owner_full_content_access: false,
  push_notifications_enabled_end_timestamp: null as number | null,
  default_external_accounts: externalAccounts,
  /** Ids of channels; -1: none. */
  moderation_request_channel_id: -1,
  new_stream_announcements_stream_id: -1,
  signup_announcements_stream_id: -1,
  service_update_announcements_stream_id: -1,
}

export type RealmSettings = Readonly<typeof realmSettingDefaults>
export type RealmSettingName = keyof RealmSettings
