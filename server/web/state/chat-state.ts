import type { ClientState } from '../../../shared/events/client-state.js'
import type { ChannelFolder } from '../../../shared/resources/channel-folder.js'
import type { CustomEmojiMap } from '../../../shared/resources/custom-emoji.js'
import type { ProfileFieldObject } from '../../../shared/resources/custom-profile-field.js'
import type { DefaultChannelGroup } from '../../../shared/resources/default-channel-group.js'
import { type DoNotDisturb, notQuiet } from '../../../shared/resources/do-not-disturb.js'
import type { Draft } from '../../../shared/resources/draft.js'
import type { GroupSettingValue } from '../../../shared/resources/group-setting-value.js'
import type { Linkifier } from '../../../shared/resources/linkifier.js'
import type { EventMessage, Reaction } from '../../../shared/resources/message.js'
import type { MutedUser } from '../../../shared/resources/muted-user.js'
import type { OnboardingStep } from '../../../shared/resources/onboarding-step.js'
import type { Place } from '../../../shared/resources/place.js'
import type { Playground } from '../../../shared/resources/playground.js'
import type { RealmDomain } from '../../../shared/resources/realm-domain.js'
import type { Reminder } from '../../../shared/resources/reminder.js'
import type { ScheduledMessage } from '../../../shared/resources/scheduled-message.js'
import { plainSidebar, type Sidebar } from '../../../shared/resources/sidebar.js'
import type { UserSettings } from '../../../shared/resources/user-settings.js'
import type { Narrow } from './narrow.js'

export interface Message extends EventMessage {
  flags: string[]
  last_edit_timestamp?: number
}

export interface Topic {
  name: string
  max_id: number
}

export interface Presence {
  active_timestamp: number
  idle_timestamp: number
}

/** A user who is typing; the notice expires at `until`, in ms. */
export interface Typist {
  readonly userId: number
  readonly place: string
  until: number
}

/** A piece of a message that grows. */
export interface Piece {
  readonly position: number
  readonly text: string
}

/** A message that grows. `late`: pieces that came while the page did not know the text before them. */
export interface Growing {
  /** Null: the page has to fetch it. */
  text: string | null
  late: Piece[]
}

/** What a search found in a message: HTML with `span.highlight` around the hits. */
export interface Match {
  readonly content: string
  readonly subject: string
}

/** How many messages a search finds. */
export interface SearchSummary {
  readonly count: number
  /** There are more. */
  readonly hasMore: boolean
  /** The search that was probably meant by one that finds nothing. */
  readonly meant?: string
}

/** The known messages of a view: without a gap between the first and the last. */
export interface Feed {
  readonly narrow: Narrow
  /** Ascending; of a search by relevance, the most relevant first. */
  ids: number[]
  foundOldest: boolean
  foundNewest: boolean
  isLoading: boolean
  /** The number of the newest request for messages: answers to earlier ones are dropped. */
  request: number
  /** The message around which the page requested the view. */
  near: number | null
  /** Messages that arrived while the page fetched the ones before them. */
  late: number[]
  /** The first unread message when the view was opened; the page shows a line above it. */
  unreadFrom: number | null
  error: string | null
  /** The view shows what it showed before a new queue began: messages may be missing until it is fetched again. */
  isStale: boolean
  /** Of a search: its hits by message id. */
  matches: Record<number, Match>
  /** Of a search, once the page knows it. */
  summary?: SearchSummary
  /** Of a search: by result whose surroundings the user wants to see, the messages before and after it. */
  around: Record<number, readonly number[]>
  /** Rises with each opening of a view: the smallest belongs to the least recently used one. */
  turn: number
}

/** The first attempt to send a message. Attempts with the same queue and local id are harmless: the server stores one message. */
export interface Attempt {
  readonly queueId: string
  /** In ms. */
  readonly at: number
}

/**
 * A message that was written on this page and has no event yet. waiting: the page will send it, perhaps again. sending:
 * sent. unsure: sent without an answer and too long ago to repeat it, and not found; the user decides whether to send it again.
 * again: the user has decided to. refused: the server refused it.
 */
export interface Unsent {
  readonly localId: string
  readonly place: Place
  readonly content: string
  /** In ms. */
  readonly writtenAt: number
  /** Messages up to this id are older than this one. */
  readonly after: number
  /**
   * The outbox of the window that left it to this one, null for a message of this window. Its name stands for a queue in requests, so that
   * two windows that take a message over at the same time send one message (docs/protocol/conventions.md#repeated-sends).
   */
  readonly leftBy: string | null
  /** Null: no attempt whose outcome is unknown. */
  attempt: Attempt | null
  status: 'waiting' | 'sending' | 'unsure' | 'again' | 'refused'
  error: string | null
}

/** A reaction that the user has made or taken away without a connection, and the server does not know of yet. */
export interface LaterReaction extends Omit<Reaction, 'user_id'> {
  readonly messageId: number
  readonly isAdded: boolean
}

/** The fields of the register answer that the page always requests. */
type Requested =
  | 'user_id'
  | 'realm_users'
  | 'realm_non_active_users'
  | 'cross_realm_bots'
  | 'realm_user_groups'
  | 'subscriptions'
  | 'unsubscribed'
  | 'never_subscribed'
  | 'user_topics'
  | 'max_message_id'
  | 'starred_messages'
  | 'recent_private_conversations'
  | 'unread_msgs'
  | 'user_status'

/** The personal settings that the page follows or changes. */
export type OwnSettings = Pick<
  UserSettings,
  | 'automatically_follow_topics_policy'
  | 'automatically_follow_topics_where_mentioned'
  | 'automatically_unmute_topics_in_muted_streams_policy'
  | 'color_scheme'
  | 'default_language'
  | 'demote_inactive_streams'
  | 'desktop_icon_count_display'
  | 'email_address_visibility'
  | 'enable_desktop_notifications'
  | 'enable_drafts_synchronization'
  | 'enable_followed_topic_desktop_notifications'
  | 'enable_followed_topic_wildcard_mentions_notify'
  | 'enable_followed_topic_audible_notifications'
  | 'enable_sounds'
  | 'enable_stream_audible_notifications'
  | 'enable_stream_desktop_notifications'
  | 'notification_sound'
  | 'pm_content_in_desktop_notifications'
  | 'presence_enabled'
  | 'receives_typing_notifications'
  | 'send_private_typing_notifications'
  | 'send_read_receipts'
  | 'send_stream_typing_notifications'
  | 'translate_emoticons'
  | 'twenty_four_hour_time'
  | 'web_font_size_px'
  | 'web_home_view'
  | 'web_line_height_percent'
  | 'web_left_sidebar_show_channel_folders'
  | 'web_left_sidebar_unreads_count_summary'
  | 'wildcard_mentions_notify'
> & { timezone: string }

/**
 * The state of the page: what every client knows of the server, in the form that `apply` of the events changes, and what
 * only this page needs. Only applyEvent and functions in this folder change it.
 */
export interface ChatState extends Required<Pick<ClientState, Requested>> {
  realm_name: string
  realm_icon_url: string
  realm_logo_url: string
  realm_night_logo_url: string
  realm_empty_topic_display_name: string
  realm_email_changes_disabled: boolean
  realm_name_changes_disabled: boolean
  realm_email_auth_enabled: boolean
  realm_authentication_methods: Readonly<Record<string, { readonly enabled: boolean }>>
  /** In MiB; null: no limit. */
  realm_upload_quota_mib: number | null
  max_file_upload_size_mib: number
  realm_welcome_message_custom_text: string
  /** -1: people cannot report messages. */
  realm_moderation_request_channel_id: number
  realm_can_add_custom_emoji_group: GroupSettingValue
  realm_can_add_subscribers_group: GroupSettingValue
  realm_can_create_groups: GroupSettingValue
  realm_can_create_private_channel_group: GroupSettingValue
  realm_can_create_public_channel_group: GroupSettingValue
  realm_can_manage_all_groups: GroupSettingValue
  realm_can_invite_users_group: GroupSettingValue
  realm_create_multiuse_invite_group: GroupSettingValue
  realm_can_resolve_topics_group: GroupSettingValue
  realm_can_delete_any_message_group: GroupSettingValue
  realm_can_delete_own_message_group: GroupSettingValue
  realm_allow_message_editing: boolean
  /** In seconds; null: no limit. */
  realm_message_content_edit_limit_seconds: number | null
  /** In seconds; null: no limit. */
  realm_message_content_delete_limit_seconds: number | null
  realm_emoji: CustomEmojiMap
  realm_default_streams: number[]
  /** -1: none. */
  realm_signup_announcements_stream_id: number
  realm_default_stream_groups: DefaultChannelGroup[]
  realm_domains: RealmDomain[]
  realm_linkifiers: Linkifier[]
  realm_playgrounds: Playground[]
  realm_user_settings_defaults: Partial<UserSettings>
  user_settings: OwnSettings
  /** In their order. */
  custom_profile_fields: ProfileFieldObject[]
  /** In their order, archived ones included. */
  channel_folders: ChannelFolder[]
  /** People whose messages are hidden. */
  muted_users: MutedUser[]
  /** Newest first. */
  drafts: Draft[]
  /** The next one first. */
  scheduled_messages: ScheduledMessage[]
  /** The next one first. */
  reminders: Reminder[]
  do_not_disturb: DoNotDisturb
  sidebar: Sidebar
  /** Changes of the sidebar that the server has not confirmed yet. */
  arranging: Partial<Sidebar>
  /** What the user has not seen yet. */
  onboarding_steps: OnboardingStep[]
  alert_words: string[]
  presences: Record<number, Presence>
  /** Topics of the channels whose topics were fetched; newest first. */
  topics: Record<number, Topic[]>
  /** For channels whose topics are being fetched: topics with messages that arrived meanwhile. */
  lateTopics: Record<number, Topic[]>
  typists: Typist[]
  /** Messages that grow, by id. */
  growing: Record<number, Growing>
  /** How often the list of invitations has changed: the page of settings asks for it. */
  invitationChanges: number
  messages: Record<number, Message>
  feeds: Record<string, Feed>
  outbox: Unsent[]
  /** Messages that the user has read and the server does not know of yet. */
  seen: number[]
  /** Reactions that wait for a connection. */
  reacting: LaterReaction[]
}

export function emptyState(): ChatState {
  return {
    user_id: 0,
    realm_name: '',
    realm_icon_url: '',
    realm_logo_url: '',
    realm_night_logo_url: '',
    realm_empty_topic_display_name: 'general chat',
    realm_email_changes_disabled: false,
    realm_name_changes_disabled: false,
    realm_email_auth_enabled: false,
    realm_authentication_methods: {},
    realm_upload_quota_mib: null,
    max_file_upload_size_mib: 0,
    realm_welcome_message_custom_text: '',
    realm_moderation_request_channel_id: -1,
    realm_can_add_custom_emoji_group: { direct_members: [], direct_subgroups: [] },
    realm_can_add_subscribers_group: { direct_members: [], direct_subgroups: [] },
    realm_can_create_groups: { direct_members: [], direct_subgroups: [] },
    realm_can_create_private_channel_group: { direct_members: [], direct_subgroups: [] },
    realm_can_create_public_channel_group: { direct_members: [], direct_subgroups: [] },
    realm_can_manage_all_groups: { direct_members: [], direct_subgroups: [] },
    realm_can_invite_users_group: { direct_members: [], direct_subgroups: [] },
    realm_create_multiuse_invite_group: { direct_members: [], direct_subgroups: [] },
    realm_can_resolve_topics_group: { direct_members: [], direct_subgroups: [] },
    realm_can_delete_any_message_group: { direct_members: [], direct_subgroups: [] },
    realm_can_delete_own_message_group: { direct_members: [], direct_subgroups: [] },
    realm_allow_message_editing: true,
    realm_message_content_edit_limit_seconds: null,
    realm_message_content_delete_limit_seconds: null,
    realm_emoji: {},
    realm_default_streams: [],
    realm_signup_announcements_stream_id: -1,
    realm_default_stream_groups: [],
    realm_domains: [],
    realm_linkifiers: [],
    realm_playgrounds: [],
    realm_user_settings_defaults: {},
    // No component reads a setting before the register answer.
    user_settings: {} as OwnSettings,
    custom_profile_fields: [],
    realm_users: {},
    realm_non_active_users: {},
    cross_realm_bots: {},
    realm_user_groups: {},
    subscriptions: {},
    unsubscribed: {},
    never_subscribed: {},
    user_topics: {},
    max_message_id: -1,
    starred_messages: [],
    recent_private_conversations: {},
    unread_msgs: { channels: {}, direct: {}, mentions: [] },
    user_status: {},
    channel_folders: [],
    muted_users: [],
    drafts: [],
    scheduled_messages: [],
    reminders: [],
    do_not_disturb: notQuiet,
    sidebar: plainSidebar,
    arranging: {},
    onboarding_steps: [],
    alert_words: [],
    presences: {},
    topics: {},
    lateTopics: {},
    typists: [],
    growing: {},
    invitationChanges: 0,
    messages: {},
    feeds: {},
    outbox: [],
    seen: [],
    reacting: [],
  }
}
