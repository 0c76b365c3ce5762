import { t } from '../language/language.js'
import type { Chat } from './chat.js'

/** Signs out, after a question if messages are not sent: they would be lost. */
export function signOut(chat: Chat): void {
  const unsent = chat.state.outbox.length
  if (unsent === 0) chat.signOut()
  else chat.say(t('ownMenu.unsent', unsent), 'bad', { title: t('ownMenu.signOut'), work: chat.signOut })
}
