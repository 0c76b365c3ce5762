import { dmUrl, messageUrl } from '../../../shared/resources/hash-links.js'
import type { Ctx } from '../../ctx.js'
import type { SeenMessage } from '../../store/messages/message-rows.js'
import type { UserRow } from '../../store/users/users.js'
import type { InLanguages } from '../../text/page-language.js'
import { plainMarkdown, quoted, withQuote } from '../../text/quote.js'
import { silently } from '../messages/notice-mentions.js'
import { languageOfReader } from '../notice-language.js'

interface Words {
  readonly unreadable: (url: string) => string
  readonly about: (url: string, sender: string) => string
  readonly note: string
}

const inLanguages: InLanguages<Words> = {
  en: {
    unreadable: url => `You asked to be reminded of [a message](${url}) that you can no longer read.`,
    about: (url, sender) => `You asked to be reminded of [this message](${url}) of ${sender}.`,
    note: 'Your note:',
  },
  de: {
    unreadable: url => `Du wolltest an [eine Nachricht](${url}) erinnert werden, die du nicht mehr lesen kannst.`,
    about: (url, sender) => `Du wolltest an [diese Nachricht](${url}) von ${sender} erinnert werden.`,
    note: 'Deine Notiz:',
  },
}

interface Reminded {
  readonly reader: UserRow
  readonly messageId: number
  /** May be empty. */
  readonly note: string
}

/** The text of a reminder that is sent, as Markdown. `message`: null if its reader may not read it. */
export const reminderText = (ctx: Ctx, reminded: Reminded, message: SeenMessage | null): string =>
  message
    ? withQuote(`${reminderHead(ctx, reminded, message)}\n`, message.content)
    : reminderHead(ctx, reminded, message)

/** The same without the text of the message, which may be edited, deleted or out of reach when the reminder is sent. */
export function reminderHead(ctx: Ctx, { reader, messageId, note }: Reminded, message: SeenMessage | null): string {
  const words = inLanguages[languageOfReader(ctx.directory, reader)]
  const about = message ? aboutMessage(ctx, words, message) : words.unreadable(`/#narrow/near/${messageId}`)
  return note === '' ? about : [about, '', words.note, quoted(note)].join('\n')
}

function aboutMessage(ctx: Ctx, words: Words, message: SeenMessage): string {
  const sender = ctx.directory.users.get(message.sender_id)
  const who = sender?.is_active ? silently(sender) : plainMarkdown(sender?.full_name ?? '')
  return words.about(urlOf(ctx, message), who)
}

function urlOf({ directory }: Ctx, message: SeenMessage): string {
  const channel = directory.channels.get(message.channel_id ?? 0)
  if (!channel) return dmUrl(message.user_ids ?? [], message.id)
  return messageUrl({ stream_id: channel.id, name: channel.name }, message.topic, message.id)
}
