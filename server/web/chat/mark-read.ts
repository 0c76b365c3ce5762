import { numberText } from '../language/format.js'
import { t } from '../language/language.js'
import type { Chat } from './chat.js'
import { setFlag } from './set-flag.js'
import type { View } from './view.js'

// One request per step, so that thousands of messages show their progress. The server takes ten thousand ids at most.
const stepSize = 2000

/** Marks messages as read, step by step, and offers to undo it. @throws {RequestError} */
export async function markRead(chat: Chat, view: View, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return chat.say(t('notice.nothingUnreadHere'))
  const undo = () => {
    view.keepUnread(true)
    inSteps(chat, ids, false).then(() => chat.say(t('notice.unreadAgain', ids.length)), chat.sayFailure)
  }
  await inSteps(chat, ids, true)
  chat.say(t('notice.markedRead', ids.length), 'plain', { title: t('notice.undo'), work: undo })
}

async function inSteps(chat: Chat, ids: readonly number[], isRead: boolean): Promise<void> {
  for (let done = 0; done < ids.length; done += stepSize) {
    if (done > 0) chat.say(t('notice.markingRead', numberText(done), ids.length))
    await setFlag(chat, ids.slice(done, done + stepSize), 'read', isRead)
  }
}
