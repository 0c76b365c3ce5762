import type { AnyEvent, EventOf, KnownType } from '../../../shared/client/index.js'
import { applyAlertWords } from '../../../shared/events/alert-words.js'
import {
  applyChannelFolderAdd,
  applyChannelFolderReorder,
  applyChannelFolderUpdate,
} from '../../../shared/events/channel-folder.js'
import { applyCustomProfileFields } from '../../../shared/events/custom-profile-fields.js'
import { applyDefaultStreamGroups } from '../../../shared/events/default-stream-groups.js'
import { applyDefaultStreams } from '../../../shared/events/default-streams.js'
import { applyDoNotDisturb } from '../../../shared/events/do-not-disturb.js'
import { applyDraftsAdd, applyDraftsRemove, applyDraftsUpdate } from '../../../shared/events/drafts.js'
import { applyMutedUsers } from '../../../shared/events/muted-users.js'
import { applyOnboardingSteps } from '../../../shared/events/onboarding-steps.js'
import { applyPresence } from '../../../shared/events/presence.js'
import { applyRealmUpdate, applyRealmUpdateDict } from '../../../shared/events/realm.js'
import {
  applyRealmDomainsAdd,
  applyRealmDomainsChange,
  applyRealmDomainsRemove,
} from '../../../shared/events/realm-domains.js'
import { applyRealmEmojiAdd, applyRealmEmojiUpdateOne } from '../../../shared/events/realm-emoji.js'
import { applyRealmLinkifiers } from '../../../shared/events/realm-linkifiers.js'
import { applyRealmPlaygrounds } from '../../../shared/events/realm-playgrounds.js'
import { applyRealmUserAdd, applyRealmUserRemove, applyRealmUserUpdate } from '../../../shared/events/realm-user.js'
import { applyUserSettingsDefaults } from '../../../shared/events/realm-user-settings-defaults.js'
import { applyRemindersAdd, applyRemindersRemove } from '../../../shared/events/reminders.js'
import {
  applyScheduledMessagesAdd,
  applyScheduledMessagesRemove,
  applyScheduledMessagesUpdate,
} from '../../../shared/events/scheduled-messages.js'
import { applySidebar } from '../../../shared/events/sidebar.js'
import { applyStreamCreate, applyStreamUpdate } from '../../../shared/events/stream.js'
import {
  applyPeerAdd,
  applyPeerRemove,
  applySubscriptionAdd,
  applySubscriptionRemove,
  applySubscriptionUpdate,
} from '../../../shared/events/subscription.js'
import {
  applyUserGroupAdd,
  applyUserGroupAddMembers,
  applyUserGroupAddSubgroups,
  applyUserGroupRemove,
  applyUserGroupRemoveMembers,
  applyUserGroupRemoveSubgroups,
  applyUserGroupUpdate,
} from '../../../shared/events/user-group.js'
import { applyUserSettings } from '../../../shared/events/user-settings.js'
import { applyUserStatus } from '../../../shared/events/user-status.js'
import { applyUserTopic } from '../../../shared/events/user-topic.js'
import type { ChatState } from './chat-state.js'
import { flagsAdded, flagsRemoved } from './flag-events.js'
import { messageEdited, messageSent, messagesDeleted, reacted } from './message-events.js'
import { messageGrows } from './streamed-messages.js'
import { channelsGone } from './topics.js'
import { typingChanged } from './typing.js'
import { actedOn } from './widgets.js'

type NameOf<Event> = Event extends { type: infer Type extends string; op: infer Op extends string }
  ? `${Type}/${Op}`
  : Event extends { type: infer Type extends string }
    ? Type
    : never

type Applies = {
  readonly [Event in EventOf<KnownType> as NameOf<Event>]?: (state: ChatState, event: Event, now: number) => void
}

/**
 * One function for each event that the page registers for: `apply` of the event's definition (shared/events) where the
 * register answer contains all that the page shows of it, otherwise a function of this folder that calls it.
 */
const applies: Applies = {
  message: messageSent,
  update_message: messageEdited,
  delete_message: messagesDeleted,
  'reaction/add': reacted,
  'reaction/remove': reacted,
  submessage: actedOn,
  'streamed_message/start': messageGrows,
  'streamed_message/append': messageGrows,
  'streamed_message/end': messageGrows,
  'update_message_flags/add': flagsAdded,
  'update_message_flags/remove': flagsRemoved,
  'subscription/add': applySubscriptionAdd,
  'subscription/remove': applySubscriptionRemove,
  'subscription/update': applySubscriptionUpdate,
  'subscription/peer_add': applyPeerAdd,
  'subscription/peer_remove': applyPeerRemove,
  'stream/create': applyStreamCreate,
  'stream/delete': channelsGone,
  'stream/update': applyStreamUpdate,
  'channel_folder/add': applyChannelFolderAdd,
  'channel_folder/update': applyChannelFolderUpdate,
  'channel_folder/reorder': applyChannelFolderReorder,
  user_topic: applyUserTopic,
  muted_users: applyMutedUsers,
  alert_words: applyAlertWords,
  'drafts/add': applyDraftsAdd,
  'drafts/update': applyDraftsUpdate,
  'drafts/remove': applyDraftsRemove,
  'scheduled_messages/add': applyScheduledMessagesAdd,
  'scheduled_messages/update': applyScheduledMessagesUpdate,
  'scheduled_messages/remove': applyScheduledMessagesRemove,
  do_not_disturb: applyDoNotDisturb,
  sidebar: applySidebar,
  'reminders/add': applyRemindersAdd,
  'reminders/remove': applyRemindersRemove,
  'user_settings/update': applyUserSettings,
  user_status: applyUserStatus,
  custom_profile_fields: applyCustomProfileFields,
  'realm_user/add': applyRealmUserAdd,
  'realm_user/update': applyRealmUserUpdate,
  'realm_user/remove': applyRealmUserRemove,
  'user_group/add': applyUserGroupAdd,
  'user_group/update': applyUserGroupUpdate,
  'user_group/remove': applyUserGroupRemove,
  'user_group/add_members': applyUserGroupAddMembers,
  'user_group/remove_members': applyUserGroupRemoveMembers,
  'user_group/add_subgroups': applyUserGroupAddSubgroups,
  'user_group/remove_subgroups': applyUserGroupRemoveSubgroups,
  presence: applyPresence,
  'typing/start': typingChanged,
  'typing/stop': typingChanged,
  'realm_emoji/add': applyRealmEmojiAdd,
  'realm_emoji/update_one': applyRealmEmojiUpdateOne,
  invites_changed: state => {
    state.invitationChanges++
  },
  onboarding_steps: applyOnboardingSteps,
  default_streams: applyDefaultStreams,
  default_stream_groups: applyDefaultStreamGroups,
  realm_linkifiers: applyRealmLinkifiers,
  realm_playgrounds: applyRealmPlaygrounds,
  'realm_domains/add': applyRealmDomainsAdd,
  'realm_domains/change': applyRealmDomainsChange,
  'realm_domains/remove': applyRealmDomainsRemove,
  'realm_user_settings_defaults/update': applyUserSettingsDefaults,
  'realm/update': applyRealmUpdate,
  'realm/update_dict': applyRealmUpdateDict,
}

type Apply = (state: ChatState, event: AnyEvent, now: number) => void

const byName: ReadonlyMap<string, Apply> = new Map(Object.entries(applies) as [string, Apply][])

/** The event types of the page's queue. */
export const eventTypes: readonly string[] = [...new Set([...byName.keys()].map(name => name.replace(/\/.*/, '')))]

/** Applies an event to the state. `now` in ms: typing notices expire. */
export function applyEvent(state: ChatState, event: AnyEvent, now: number): void {
  const apply = byName.get(`${event.type}/${event.op}`) ?? byName.get(event.type)
  apply?.(state, event, now)
}
