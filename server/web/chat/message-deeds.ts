import { placeOf } from '../../../shared/resources/place.js'
import { t } from '../language/language.js'
import type { Message } from '../state/chat-state.js'
import { type Narrow, narrowOfPlace, sameNarrow } from '../state/narrow.js'
import { messageLink, quoteOf } from '../state/quote.js'
import { termsOf } from '../state/terms.js'
import type { Chat } from './chat.js'
import { copyText } from './copy-text.js'
import { nameOf } from './names.js'
import { setFlag } from './set-flag.js'
import type { View } from './view.js'

// The server handles at most this many messages in one request (shared/limits.ts messages_per_fetch).
const stepSize = 5000

/** The topic or conversation of a message. */
export const placeNarrow = (chat: Chat, message: Message): Narrow => narrowOfPlace(placeOf(message, chat.state.user_id))

/** The address of a message for other people and programs. */
const absoluteLink = (chat: Chat, message: Message): string => location.origin + messageLink(chat.state, message)

/** Copies the address of a message. */
export const copyLink = (chat: Chat, message: Message): Promise<void> =>
  copy(chat, absoluteLink(chat, message), t('notice.linkCopied'))

/** Copies the Markdown sources of messages. @throws {RequestError} */
export async function copySources(chat: Chat, ids: readonly number[]): Promise<void> {
  const sources = await sourcesOf(chat, ids)
  await copy(chat, sources.map(({ content }) => content).join('\n\n'), t('notice.textCopied'))
}

async function copy(chat: Chat, text: string, done: string): Promise<void> {
  if (await copyText(text)) chat.say(done)
  else chat.say(t('notice.noClipboard'), 'bad')
}

/** Messages with their Markdown sources, ascending; those that the user may no longer read are absent. */
async function sourcesOf(chat: Chat, ids: readonly number[]): Promise<Message[]> {
  const options = { apply_markdown: false, client_gravatar: true, allow_empty_topic_name: true }
  const { messages } = await chat.ask('GET', '/messages', { message_ids: ids, ...options })
  return messages as Message[]
}

/** Messages as quotes, with links to them. @throws {RequestError} */
export async function quotation(chat: Chat, messages: readonly Message[]): Promise<string> {
  const sources = await sourcesOf(
    chat,
    messages.map(({ id }) => id),
  )
  const quotes = sources.map(message => {
    const sender = { name: nameOf(chat.state, message.sender_id), id: message.sender_id }
    return quoteOf(sender, absoluteLink(chat, message), message.content)
  })
  return quotes.join('\n')
}

/** Begins a reply to a message, in its topic or conversation, with a quote of it. @throws {RequestError} */
export async function quote(chat: Chat, view: View, message: Message): Promise<void> {
  writeIn(view, placeNarrow(chat, message), await quotation(chat, [message]))
}

/** Opens a view and puts a text behind the one in its composer. */
export function writeIn(view: View, narrow: Narrow, text: string): void {
  const open = view.narrow()
  if (!open || !sameNarrow(open, narrow)) view.go(narrow)
  // The composer of a view that has just been opened takes its draft first.
  queueMicrotask(() => {
    const box = view.composer
    if (!box) return
    const before = box.value.trimEnd()
    box.setRangeText(before === '' ? text : `${before}\n\n${text}`, 0, box.value.length, 'end')
    box.dispatchEvent(new InputEvent('input', { bubbles: true }))
    box.focus()
    box.scrollTop = box.scrollHeight
  })
}

/** Marks one message as unread. It stays so while the view is open. @throws {RequestError} */
export async function markUnread(chat: Chat, view: View, message: Message): Promise<void> {
  view.keepUnread(true)
  await setFlag(chat, [message.id], 'read', false)
}

/** Marks a message and all later ones of its topic or conversation as unread. @throws {RequestError} */
export async function markUnreadFrom(chat: Chat, view: View, message: Message): Promise<void> {
  view.keepUnread(true)
  const narrow = termsOf(chat.state, placeNarrow(chat, message))
  let [anchor, isLast] = [message.id, false]
  for (let isFirst = true; !isLast; isFirst = false) {
    const answer = await chat.ask('POST', '/messages/flags/narrow', {
      anchor: String(anchor),
      include_anchor: isFirst,
      num_before: 0,
      num_after: stepSize,
      narrow,
      op: 'remove',
      flag: 'read',
    })
    isLast = answer.found_newest === true || typeof answer.last_processed_id !== 'number'
    anchor = Number(answer.last_processed_id)
    if ((answer.ignored_because_not_subscribed_channels as number[]).length > 0) {
      return chat.say(t('notice.notSubscribed'), 'bad')
    }
  }
}
