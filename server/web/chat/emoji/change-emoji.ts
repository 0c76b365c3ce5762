import { personOf } from '../../state/people.js'
import type { Chat } from '../chat.js'
import { sendFile } from '../send-file.js'

/** Adds the picture as an emoji. @throws {Error} with a sentence for people */
export const addEmoji = (chat: Chat, name: string, picture: File): Promise<void> =>
  sendFile(chat, `/realm/emoji/${encodeURIComponent(name)}`, picture)

export const isAdministrator = ({ state }: Chat): boolean => (personOf(state, state.user_id)?.role ?? 600) <= 200

/** Whether the user may add emoji, as the server would decide now. @throws {RequestError} */
export async function mayAddEmoji(chat: Chat): Promise<boolean> {
  const { user_id, realm_can_add_custom_emoji_group: holders } = chat.state
  if ((personOf(chat.state, user_id)?.role ?? 600) >= 600) return false
  if (typeof holders !== 'number' && holders.direct_members.includes(user_id)) return true
  for (const group of typeof holders === 'number' ? [holders] : holders.direct_subgroups) {
    const answer = await chat.ask('GET', `/user_groups/${group}/members/${user_id}`, { direct_member_only: false })
    if (answer.is_user_group_member) return true
  }
  return false
}
