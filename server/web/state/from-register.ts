import { clientState } from '../../../shared/events/from-register.js'
import { type ChatState, emptyState } from './chat-state.js'

/** The fetch types that the page needs (docs/protocol/register.md#fields). */
export const fetchTypes: readonly string[] = [
  'realm',
  'realm_domains',
  'realm_emoji',
  'realm_linkifiers',
  'realm_playgrounds',
  'realm_user',
  'realm_user_groups',
  'realm_user_settings_defaults',
  'custom_profile_fields',
  'subscription',
  'channel_folders',
  'default_streams',
  'default_stream_groups',
  'user_topic',
  'message',
  'starred_messages',
  'recent_private_conversations',
  'update_message_flags',
  'presence',
  'user_status',
  'muted_users',
  'onboarding_steps',
  'drafts',
  'scheduled_messages',
  'reminders',
  'do_not_disturb',
  'sidebar',
  'alert_words',
  'user_settings',
]

export const capabilities = {
  bulk_message_deletion: true,
  empty_topic_name: true,
  individual_emoji_changes: true,
  linkifier_url_template: true,
  notification_settings_null: true,
  simplified_presence_events: true,
  stream_typing_notifications: true,
  streamed_messages: true,
  user_list_incomplete: true,
} as const

/** The state from the answer of `register`. */
export const stateFrom = (answer: Readonly<Record<string, unknown>>): ChatState => ({
  ...emptyState(),
  ...(clientState(answer) as Partial<ChatState>),
})
