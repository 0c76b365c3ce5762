import { authorization } from '../../look/session.js'
import { personOf } from '../../state/people.js'
import type { Chat } from '../chat.js'

/** Adds the picture as an emoji. A socket carries no files, so this is a request of its own. @throws {Error} with a sentence for people */
export async function addEmoji({ session }: Chat, name: string, picture: File): Promise<void> {
  const body = new FormData()
  body.set('file', picture)
  const answer = await fetch(`/api/v1/realm/emoji/${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { Authorization: authorization(session) },
    credentials: 'omit',
    body,
  })
  const { result, msg } = (await answer.json()) as { result: string; msg: string }
  if (result !== 'success') throw new Error(msg)
}

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
