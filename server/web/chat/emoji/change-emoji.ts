import { holds, isGuest } from '../../state/permissions.js'
import type { Chat } from '../chat.js'
import { sendFile } from '../send-file.js'

/** Adds the picture as an emoji. @throws {Error} with a sentence for people */
export const addEmoji = (name: string, picture: File): Promise<void> =>
  sendFile(`/realm/emoji/${encodeURIComponent(name)}`, picture)

export const mayAddEmoji = ({ state }: Chat): boolean =>
  !isGuest(state) && holds(state, state.realm_can_add_custom_emoji_group)
