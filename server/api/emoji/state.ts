import { customEmojiMap } from '../../../shared/resources/custom-emoji.js'
import { customEmojiMapOf } from '../../presenters/custom-emoji.js'
import type { StatePiece } from '../state-piece.js'

/** The custom emoji, deactivated ones included: old messages and reactions show them. */
export const customEmojiPiece: StatePiece = {
  fetchType: 'realm_emoji',
  fields: { realm_emoji: customEmojiMap.describe('By emoji id.') },
  read: async ({ ctx }) => ({ realm_emoji: ctx.directory.derived(customEmojiMapOf) }),
}
