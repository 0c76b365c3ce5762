import type { Ctx } from '../../ctx.js'
import type { Tx } from '../../store/driver/db.js'
import { storeReplyAddress } from '../../store/incoming-mail/mail-addresses.js'
import { replyAddressOf, tokenOf } from './mail-address.js'

// A mail is answered within days; people who were away answer after weeks.
const lifetimeMs = 30 * 86_400_000

/** A conversation as one account sees it. */
type Conversation = (
  | { readonly channelId: number; readonly topic: string }
  /** All participants of a direct message; the account itself may be missing. */
  | { readonly people: readonly number[] }
) & {
  /** One of its messages, best the newest one: a reply goes where the topic is then. */
  readonly messageId?: number
}

/**
 * An address to which only this account may reply: a mail to it becomes the account's message in the conversation, if the account may send it then. It is valid for
 * 30 days, and the same for each mail about the conversation, which begins the 30 days again. Null: the server receives no mail.
 */
export async function replyAddress(
  ctx: Pick<Ctx, 'config' | 'directory' | 'clock'>,
  tx: Tx,
  userId: number,
  conversation: Conversation,
): Promise<string | null> {
  if (!ctx.config.incomingMail) return null
  const place =
    'people' in conversation
      ? { channel_id: null, topic: '', people: [...new Set([...conversation.people, userId])].sort((a, b) => a - b) }
      : { channel_id: conversation.channelId, topic: conversation.topic, people: [] }
  const token = tokenOf(ctx, 'reply', userId, place.channel_id ?? 0, place.topic, ...place.people)
  const target = { purpose: 'reply', user_id: userId, message_id: conversation.messageId ?? null, ...place } as const
  await storeReplyAddress(tx, token, target, new Date(ctx.clock.now() + lifetimeMs))
  return replyAddressOf(ctx, token)
}
