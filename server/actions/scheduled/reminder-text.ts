import { dmUrl, messageUrl } from '../../../shared/resources/hash-links.js'
import type { Ctx } from '../../ctx.js'
import type { SeenMessage } from '../../store/messages/message-rows.js'
import { plainMarkdown, quoted, withQuote } from '../../text/quote.js'
import { silently } from '../messages/notice-mentions.js'

interface Reminded {
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
export function reminderHead(ctx: Ctx, { messageId, note }: Reminded, message: SeenMessage | null): string {
  const about = aboutMessage(ctx, messageId, message)
  return note === '' ? about : [about, '', 'Your note:', quoted(note)].join('\n')
}

function aboutMessage(ctx: Ctx, messageId: number, message: SeenMessage | null): string {
  if (!message)
    return `You asked to be reminded of [a message](/#narrow/near/${messageId}) that you can no longer read.`
  const sender = ctx.directory.users.get(message.sender_id)
  const who = sender?.is_active ? silently(sender) : plainMarkdown(sender?.full_name ?? '')
  return `You asked to be reminded of [this message](${urlOf(ctx, message)}) of ${who}.`
}

function urlOf({ directory }: Ctx, message: SeenMessage): string {
  const channel = directory.channels.get(message.channel_id ?? 0)
  if (!channel) return dmUrl(message.user_ids ?? [], message.id)
  return messageUrl({ stream_id: channel.id, name: channel.name }, message.topic, message.id)
}
