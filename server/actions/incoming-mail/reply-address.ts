import type { Ctx } from '../../ctx.js'
import type { Tx } from '../../store/driver/db.js'
import { storeReplyAddresses } from '../../store/incoming-mail/mail-addresses.js'
import { replyAddressOf, tokenOf } from './mail-address.js'

// A mail is answered within days; people who were away answer after weeks.
const lifetimeMs = 30 * 86_400_000

/** A conversation as one account sees it. */
export type Conversation = (
  | { readonly channelId: number; readonly topic: string }
  /** All participants of a direct message; the account itself may be missing. */
  | { readonly people: readonly number[] }
) & {
  /** One of its messages, best the newest one: a reply goes where the topic is then. */
  readonly messageId?: number
}

/**
 * For each of these different conversations an address to which only this account may reply: a mail to it becomes the account's message in the conversation, if the
 * account may send it then. It is valid for 30 days, and the same for each mail about the conversation, which begins the 30 days again. Null: the server receives no mail.
 */
export async function replyAddresses(
  ctx: Pick<Ctx, 'config' | 'directory' | 'clock'>,
  tx: Tx,
  userId: number,
  conversations: readonly Conversation[],
): Promise<(string | null)[]> {
  if (!ctx.config.incomingMail) return conversations.map(() => null)
  const addresses = conversations.map(conversation => {
    const place =
      'people' in conversation
        ? { channel_id: null, topic: '', people: [...new Set([...conversation.people, userId])].sort((a, b) => a - b) }
        : { channel_id: conversation.channelId, topic: conversation.topic, people: [] }
    const token = tokenOf(ctx, 'reply', userId, place.channel_id ?? 0, place.topic, ...place.people)
    const message_id = conversation.messageId ?? null
    return { token, purpose: 'reply', user_id: userId, message_id, ...place } as const
  })
  await storeReplyAddresses(tx, addresses, new Date(ctx.clock.now() + lifetimeMs))
  return addresses.map(({ token }) => replyAddressOf(ctx, token))
}
