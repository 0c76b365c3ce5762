import { limits } from '../../../shared/limits.js'
import { reportTypes } from '../../../shared/resources/report-types.js'
import { thumbnailFormats } from '../../actions/files/picture-of.js'
import { budgets } from '../../config/budgets.js'

/**
 * Constant fields of the register answer (docs/protocol/register.md#the-organization). Clients hide what these say to be off; the change
 * that makes a feature work changes its line.
 */
export const serverFacts = {
  upgrade_text_for_wide_organization_logo: '',
  settings_send_digest_emails: true,
  development_environment: false,
  password_min_length: limits.password_min_length,
  password_max_length: limits.password_max_length,
  password_min_guesses: limits.password_min_guesses,
  gif_rating_policy_options: {
    disabled: { name: 'GIFs disabled', id: 0 },
    y: { name: 'Y', id: 1 },
    g: { name: 'G', id: 2 },
    pg: { name: 'PG', id: 3 },
    'pg-13': { name: 'PG-13', id: 4 },
    r: { name: 'R', id: 5 },
  },
  max_avatar_file_size_mib: 5,
  max_icon_file_size_mib: 5,
  max_logo_file_size_mib: 5,
  max_stream_name_length: limits.max_stream_name_length,
  max_stream_description_length: limits.max_stream_description_length,
  max_topic_length: limits.max_topic_length,
  max_message_length: limits.max_message_length,
  max_channel_folder_name_length: limits.max_channel_folder_name_length,
  max_channel_folder_description_length: limits.max_channel_folder_description_length,
  max_reminder_note_length: budgets.reminderNote.most,
  max_bulk_new_subscription_messages: limits.max_bulk_new_subscription_messages,
  server_inline_image_preview: true,
  server_thumbnail_formats: thumbnailFormats,
  server_avatar_changes_disabled: false,
  server_name_changes_disabled: false,
  server_needs_upgrade: false,
  event_queue_longpoll_timeout_seconds: limits.event_queue_longpoll_timeout_seconds,
  server_jitsi_server_url: null,
  server_can_summarize_topics: false,
  server_report_message_types: reportTypes,
  server_presence_ping_interval_seconds: limits.presence_ping_interval_secs,
  server_presence_offline_threshold_seconds: limits.presence_offline_threshold_secs,
  server_typing_started_expiry_period_milliseconds: limits.typing_started_expiry_ms,
  server_typing_stopped_wait_period_milliseconds: limits.typing_stopped_wait_ms,
  server_typing_started_wait_period_milliseconds: limits.typing_started_wait_ms,
  server_min_deactivated_realm_deletion_days: limits.realm_deletion_days.least,
  server_max_deactivated_realm_deletion_days: null,
} as const

export const videoChatProviders = {
  disabled: { name: 'None', id: 0 },
  jitsi_meet: { name: 'Jitsi Meet', id: 1 },
} as const
