import type { StatePiece } from './state.js'

/** The state of areas that this server does not implement, as in a new organization (docs/protocol/register.md#not-served). */
const empty: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  alert_words: { alert_words: [] },
  channel_folders: { channel_folders: [] },
  default_stream_groups: { realm_default_stream_groups: [] },
  default_streams: { realm_default_streams: [] },
  drafts: { drafts: [] },
  giphy: { giphy_api_key: '' },
  message: { max_message_id: -1 },
  muted_users: { muted_users: [] },
  onboarding_steps: { onboarding_steps: [], navigation_tour_video_url: null },
  realm_billing: { realm_billing: { has_pending_sponsorship_request: false } },
  realm_domains: { realm_domains: [] },
  realm_embedded_bots: { realm_embedded_bots: [] },
  realm_emoji: { realm_emoji: {} },
  realm_filters: { realm_filters: [] },
  realm_incoming_webhook_bots: { realm_incoming_webhook_bots: [] },
  realm_playgrounds: { realm_playgrounds: [] },
  recent_private_conversations: { recent_private_conversations: [] },
  reminders: { reminders: [] },
  scheduled_messages: { scheduled_messages: [] },
  starred_messages: { starred_messages: [] },
  stop_words: { stop_words: [] },
  stream: { streams: [] },
  subscription: { subscriptions: [], unsubscribed: [], never_subscribed: [] },
  tenor: { tenor_api_key: '' },
  update_message_flags: {
    unread_msgs: { count: 0, pms: [], streams: [], huddles: [], mentions: [], old_unreads_missing: false },
  },
  user_status: { user_status: {} },
  video_calls: { has_zoom_token: false, has_webex_token: false },
}

/** Pieces for the fetch types that `pieces` do not contain. */
export function emptyPieces(pieces: readonly StatePiece[]): StatePiece[] {
  const kept = new Set(pieces.map(piece => piece.fetchType))
  return Object.entries(empty)
    .filter(([fetchType]) => !kept.has(fetchType))
    .map(([fetchType, fields]) => ({ fetchType, read: async () => fields }))
}
