import { incomingWebhooksPiece } from '../bots/incoming-webhooks-state.js'
import { channelFoldersPiece } from '../channel-folders/state.js'
import { channelState } from '../channels/state.js'
import { defaultChannelState } from '../default-channels/state.js'
import { devicePiece } from '../devices/state.js'
import { domainsPiece } from '../domains/state.js'
import { draftsPiece } from '../drafts/state.js'
import { customEmojiPiece } from '../emoji/state.js'
import { groupState } from '../groups/state.js'
import { linkifiersPiece } from '../linkifiers/state.js'
import { messageState } from '../messages/state.js'
import { navigationViewsPiece } from '../navigation-views/state.js'
import { playgroundsPiece } from '../playgrounds/state.js'
import { presencePiece } from '../presence/state.js'
import { remindersPiece } from '../reminders/state.js'
import { scheduledPiece } from '../scheduled/state.js'
import { realmPiece } from '../settings/realm-state.js'
import { userSettingsDefaultsPiece, userSettingsPiece } from '../settings/user-settings-state.js'
import { savedSnippetsPiece } from '../snippets/state.js'
import type { StatePiece } from '../state-piece.js'
import { topicState } from '../topics/state.js'
import { alertWordsPiece } from '../users/alert-words-state.js'
import { customProfileFieldsPiece } from '../users/custom-profile-fields-state.js'
import { doNotDisturbPiece } from '../users/do-not-disturb-state.js'
import { mutedUsersPiece } from '../users/muted-users-state.js'
import { onboardingPiece } from '../users/onboarding-state.js'
import { realmBotPiece } from '../users/realm-bot-state.js'
import { realmUserPiece } from '../users/realm-user-state.js'
import { sidebarPiece } from '../users/sidebar-state.js'
import { userStatusPiece } from '../users/user-status-state.js'
import { emptyState } from './empty-state.js'

/** All pieces of a register answer; each area exports its own. */
export const pieces: readonly StatePiece[] = [
  ...channelState,
  ...defaultChannelState,
  channelFoldersPiece,
  ...messageState,
  realmPiece,
  realmUserPiece,
  realmBotPiece,
  incomingWebhooksPiece,
  customProfileFieldsPiece,
  ...groupState,
  userSettingsPiece,
  userSettingsDefaultsPiece,
  presencePiece,
  userStatusPiece,
  doNotDisturbPiece,
  mutedUsersPiece,
  alertWordsPiece,
  onboardingPiece,
  devicePiece,
  linkifiersPiece,
  playgroundsPiece,
  domainsPiece,
  customEmojiPiece,
  savedSnippetsPiece,
  draftsPiece,
  scheduledPiece,
  remindersPiece,
  navigationViewsPiece,
  sidebarPiece,
  ...topicState,
  ...emptyState,
]

/** Whether the client requested the fields of this fetch type. */
export function isFetched(fetchType: string, asked: ReadonlySet<string> | null): boolean {
  if (!asked) return true
  switch (fetchType) {
    // The list of unread messages is useless to a client that does not get both kinds of events.
    case 'update_message_flags':
      return asked.has('update_message_flags') && asked.has('message')
    // A client that gets user_topic does not need the legacy muted_topics.
    case 'muted_topics':
      return asked.has('muted_topics') && !asked.has('user_topic')
    default:
      return asked.has(fetchType)
  }
}
