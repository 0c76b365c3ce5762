import { channelState } from '../channels/state.js'
import { devicePiece } from '../devices/state.js'
import { groupState } from '../groups/state.js'
import { linkifiersPiece } from '../linkifiers/state.js'
import { messageState } from '../messages/state.js'
import { navigationViewsPiece } from '../navigation-views/state.js'
import { presencePiece } from '../presence/state.js'
import { realmPiece } from '../settings/realm-state.js'
import { userSettingsDefaultsPiece, userSettingsPiece } from '../settings/user-settings-state.js'
import { savedSnippetsPiece } from '../snippets/state.js'
import { topicState } from '../topics/state.js'
import { customProfileFieldsPiece } from '../users/custom-profile-fields-state.js'
import { realmBotPiece } from '../users/realm-bot-state.js'
import { realmUserPiece } from '../users/realm-user-state.js'
import { emptyPieces } from './empty-state.js'
import type { StatePiece } from './state.js'

const kept: readonly StatePiece[] = [
  ...channelState,
  ...messageState,
  realmPiece,
  realmUserPiece,
  realmBotPiece,
  customProfileFieldsPiece,
  ...groupState,
  userSettingsPiece,
  userSettingsDefaultsPiece,
  presencePiece,
  devicePiece,
  linkifiersPiece,
  savedSnippetsPiece,
  navigationViewsPiece,
  ...topicState,
]

/** All that a register answer can hold; each area lists its own. */
export const pieces: readonly StatePiece[] = [...kept, ...emptyPieces(kept)]

/** Whether the client asked for what this fetch type brings. */
export function isFetched(fetchType: string, asked: ReadonlySet<string> | null): boolean {
  if (!asked) return true
  switch (fetchType) {
    // Which messages are unread says nothing to a client that does not follow both.
    case 'update_message_flags':
      return asked.has('update_message_flags') && asked.has('message')
    // A client that knows policies of topics has no use for what they were before.
    case 'muted_topics':
      return asked.has('muted_topics') && !asked.has('user_topic')
    default:
      return asked.has(fetchType)
  }
}
