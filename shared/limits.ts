/** Limits of the wire, announced in the register response. Lengths are in Unicode code points. */
export const limits = {
  max_stream_name_length: 60,
  max_stream_description_length: 1024,
  max_channel_folder_name_length: 60,
  max_channel_folder_description_length: 1024,
  max_topic_length: 60,
  max_message_length: 10_000,
  max_bulk_new_subscription_messages: 100,
  user_group_name_length: 100,
  user_group_description_length: 1024,
  user_full_name_least: 2,
  user_full_name_length: 100,
  deactivation_comment_length: 2000,
  messages_per_fetch: 5000,
  unread_messages_in_register: 50_000,
  recent_private_conversations_scanned: 1000,
  queue_idle_timeout_default_secs: 600,
  queue_idle_timeout_mobile_secs: 43_200,
  queue_idle_timeout_max_secs: 604_800,
  event_queue_longpoll_timeout_seconds: 90,
  presence_ping_interval_secs: 60,
  presence_offline_threshold_secs: 200,
  presence_history_days_default: 14,
  presence_update_min_interval_secs: 55,
  presence_legacy_active_window_secs: 70,
  presence_events_max_users: 100,
  typing_started_expiry_ms: 45_000,
  typing_stopped_wait_ms: 12_000,
  typing_started_wait_ms: 30_000,
  typing_max_channel_subscribers: 100,
  partial_subscribers_full_below: 250,
  saved_snippet_title_length: 60,
  status_text_length: 60,
  alert_word_length: 100,
  message_edit_grace_secs: 20,
  delete_topic_batch: 100,
  report_description_length: 1000,
  password_min_length: 6,
  password_max_length: 100,
  password_min_guesses: 10_000,
  /** Wrong passwords for one user name within wrong_passwords_secs. */
  wrong_passwords: 5,
  wrong_passwords_secs: 1800,
  /** Changes of address per account and period. */
  address_changes: [
    { most: 2, seconds: 3600 },
    { most: 5, seconds: 86_400 },
  ],
  address_confirmation_secs: 86_400,
  /** Mails of each kind that strangers may request for an address: to join, to set a password, to find their account. */
  account_mails: [
    { most: 2, seconds: 3600 },
    { most: 5, seconds: 86_400 },
  ],
  password_reset_secs: 259_200,
  find_accounts_addresses: 10,
  /** Requests per account that test its devices for notifications. */
  push_tests: [{ most: 5, seconds: 60 }],
  /** Requests per account that mail invitations or make a link. */
  invitation_requests: [{ most: 200, seconds: 3600 }],
  /** Invitations that one address is mailed on one day (UTC), by all accounts together. */
  invitation_mails_per_address: 5,
  /** Days between the deactivation of the organization and the deletion of its data; the most are a hundred years. */
  realm_deletion_days: { least: 14, most: 36_500 },
  welcome_message_length: 8000,
  anchor_newest_value: 10_000_000_000_000_000,
} as const

/**
 * Announced as `*_feature_level` and `*_version`: the API level that the server implements
 * (docs/protocol/conventions.md#feature-level).
 */
export const featureLevel = 500
export const serverVersion = '12.0'

/** Length in Unicode code points: a surrogate pair counts once. */
export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
