import type { z } from 'zod'
import { alertWordsEvent } from './alert-words.js'
import { attachmentAdd, attachmentRemove, attachmentUpdate } from './attachment.js'
import { channelFolderAdd, channelFolderReorder, channelFolderUpdate } from './channel-folder.js'
import { customProfileFields } from './custom-profile-fields.js'
import { defaultStreamGroups } from './default-stream-groups.js'
import { defaultStreams } from './default-streams.js'
import { deleteMessageEvent } from './delete-message.js'
import { deviceAdd, deviceRemove } from './device.js'
import { doNotDisturbEvent } from './do-not-disturb.js'
import { draftsAdd, draftsRemove, draftsUpdate } from './drafts.js'
import type { EventDef } from './event.js'
import { heartbeat } from './heartbeat.js'
import { invitesChanged } from './invites-changed.js'
import { jobsDue } from './jobs-due.js'
import { messageEvent } from './message.js'
import { mutedTopicsEvent } from './muted-topics.js'
import { mutedUsersEvent } from './muted-users.js'
import { navigationViewAdd, navigationViewRemove, navigationViewUpdate } from './navigation-view.js'
import { onboardingStepsEvent } from './onboarding-steps.js'
import { presenceEvent } from './presence.js'
import { pushDevicesChanged } from './push-devices-changed.js'
import { reactionAdd, reactionRemove } from './reaction.js'
import { realmUpdate, realmUpdateDict } from './realm.js'
import { realmBotAdd, realmBotDelete, realmBotUpdate } from './realm-bot.js'
import { realmDeactivated } from './realm-deactivated.js'
import { realmDomainsAdd, realmDomainsChange, realmDomainsRemove } from './realm-domains.js'
import { realmEmojiAdd, realmEmojiUpdate, realmEmojiUpdateOne } from './realm-emoji.js'
import { realmExport } from './realm-export.js'
import { realmExportConsent } from './realm-export-consent.js'
import { realmLinkifiers } from './realm-linkifiers.js'
import { realmPlaygrounds } from './realm-playgrounds.js'
import { realmUserAdd, realmUserRemove, realmUserUpdate } from './realm-user.js'
import { realmUserSettingsDefaultsUpdate } from './realm-user-settings-defaults.js'
import { remindersAdd, remindersRemove } from './reminders.js'
import { restart } from './restart.js'
import { revoked } from './revoked.js'
import { savedSnippetsAdd, savedSnippetsRemove, savedSnippetsUpdate } from './saved-snippets.js'
import { scheduledMessagesAdd, scheduledMessagesRemove, scheduledMessagesUpdate } from './scheduled-messages.js'
import { sessionsEnded } from './sessions-ended.js'
import { sidebarEvent } from './sidebar.js'
import { streamCreate, streamDelete, streamUpdate } from './stream.js'
import { streamedMessageAppend, streamedMessageEnd, streamedMessageStart } from './streamed-message.js'
import { submessageEvent } from './submessage.js'
import {
  subscriptionAdd,
  subscriptionPeerAdd,
  subscriptionPeerRemove,
  subscriptionRemove,
  subscriptionUpdate,
} from './subscription.js'
import { typingStart, typingStop } from './typing.js'
import { typingEditStart, typingEditStop } from './typing-edit-message.js'
import { updateMessageEvent } from './update-message.js'
import { flagsAdd, flagsRemove } from './update-message-flags.js'
import {
  userGroupAdd,
  userGroupAddMembers,
  userGroupAddSubgroups,
  userGroupRemove,
  userGroupRemoveMembers,
  userGroupRemoveSubgroups,
  userGroupUpdate,
} from './user-group.js'
import { userSettingsUpdate } from './user-settings.js'
import { userStatusEvent } from './user-status.js'
import { userTopicEvent } from './user-topic.js'

const definitions = [
  onboardingStepsEvent,
  doNotDisturbEvent,
  sidebarEvent,
  attachmentAdd,
  attachmentUpdate,
  attachmentRemove,
  heartbeat,
  messageEvent,
  updateMessageEvent,
  deleteMessageEvent,
  reactionAdd,
  reactionRemove,
  submessageEvent,
  streamedMessageStart,
  streamedMessageAppend,
  streamedMessageEnd,
  flagsAdd,
  flagsRemove,
  typingStart,
  typingStop,
  typingEditStart,
  typingEditStop,
  userTopicEvent,
  mutedTopicsEvent,
  mutedUsersEvent,
  alertWordsEvent,
  presenceEvent,
  realmUserAdd,
  realmUserUpdate,
  realmUserRemove,
  realmUpdate,
  realmUpdateDict,
  realmDeactivated,
  realmBotAdd,
  realmBotDelete,
  realmBotUpdate,
  customProfileFields,
  userSettingsUpdate,
  userStatusEvent,
  realmUserSettingsDefaultsUpdate,
  realmExport,
  realmExportConsent,
  deviceAdd,
  deviceRemove,
  invitesChanged,
  jobsDue,
  pushDevicesChanged,
  restart,
  revoked,
  sessionsEnded,
  streamCreate,
  streamDelete,
  streamUpdate,
  subscriptionAdd,
  subscriptionRemove,
  subscriptionUpdate,
  subscriptionPeerAdd,
  subscriptionPeerRemove,
  defaultStreams,
  defaultStreamGroups,
  channelFolderAdd,
  channelFolderUpdate,
  channelFolderReorder,
  realmEmojiAdd,
  realmEmojiUpdateOne,
  realmEmojiUpdate,
  realmLinkifiers,
  realmPlaygrounds,
  realmDomainsAdd,
  realmDomainsChange,
  realmDomainsRemove,
  savedSnippetsAdd,
  savedSnippetsUpdate,
  savedSnippetsRemove,
  scheduledMessagesAdd,
  scheduledMessagesUpdate,
  scheduledMessagesRemove,
  remindersAdd,
  remindersRemove,
  draftsAdd,
  draftsUpdate,
  draftsRemove,
  navigationViewAdd,
  navigationViewUpdate,
  navigationViewRemove,
  userGroupAdd,
  userGroupUpdate,
  userGroupRemove,
  userGroupAddMembers,
  userGroupRemoveMembers,
  userGroupAddSubgroups,
  userGroupRemoveSubgroups,
] as const

/** Every event type by its name (`type` or `type/op`). */
export const eventDefs: ReadonlyMap<string, EventDef> = byName(definitions)

// biome-ignore lint/suspicious/noExplicitAny: definitions whose payloads differ
function byName(defs: readonly EventDef<any>[]): ReadonlyMap<string, EventDef> {
  return new Map(defs.map(def => [def.name, def]))
}

type Head<Name extends string> = Name extends `${infer Type}/${infer Op}` ? { type: Type; op: Op } : { type: Name }
type WireEventOf<Def> =
  Def extends EventDef<infer _Payload, infer Name, infer Fields>
    ? Name extends `_${string}`
      ? never
      : { id: number } & Head<Name> & z.output<Fields>
    : never

/** The events on the wire, with the fields of every view. */
export type KnownEvent = WireEventOf<(typeof definitions)[number]>
