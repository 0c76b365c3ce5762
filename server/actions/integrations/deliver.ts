import { ApiError, badRequest } from '../../../shared/errors.js'
import type { WorkerCtx } from '../../ctx.js'
import type { IncomingMessage, Integration } from '../../integrations/index.js'
import { addNotices } from '../../job-types/notice.js'
import { type BotMessage, botMessage } from '../../job-types/outgoing-webhook.js'
import type { UserRow } from '../../store/users/users.js'
import { plainMarkdown } from '../../text/quote.js'
import { channelNamed, type To } from '../messages/recipients.js'
import { sendMessage } from '../messages/send.js'

/** Where messages of a service go, as its address says. */
export interface Place {
  /** A name, or an id in digits; undefined: to the owner of the bot. */
  readonly stream: string | undefined
  /** In place of the topic that the integration makes. */
  readonly topic: string | undefined
}

// Messages to the owner come at most so often for a bot.
const ownerLimit = { seconds: 60, most: 1 }

/**
 * Sends the messages of a service as those of the account whose key it has. The owner of a bot learns by a notice that its channel is unknown: the
 * service would only repeat the request.
 * @throws {ApiError} BAD_REQUEST, STREAM_DOES_NOT_EXIST
 */
export async function deliver(
  ctx: WorkerCtx,
  sender: UserRow,
  integration: Integration,
  { messages, place }: { readonly messages: readonly IncomingMessage[]; readonly place: Place },
): Promise<void> {
  const [first, ...others] = messages
  if (place.stream === undefined && sender.bot_owner_id === null) throw badRequest('This key needs a channel.')
  if (!first) return
  const client = clientName(ctx.config.wireBrand, integration.name)
  const to = destination(sender, place, first)
  try {
    await sendMessage(ctx, { senderId: sender.id, client, to, content: first.content, readBySender: false })
  } catch (error) {
    if (!isUnknownName(place, error) || sender.bot_owner_id === null) throw error
    const channel = plainMarkdown(place.stream ?? '')
    await noticeOwner(ctx, sender, `It tried to write to the channel ${channel}, which does not exist.`)
    return
  }
  if (others.length === 0) return
  // Where one may be sent, all may: so a request that fails has sent none.
  await ctx.write(async (_tx, _emit, { after }) => {
    for (const one of others) {
      const to = laterDestination(ctx, sender, place, one)
      after(botMessage, { bot_id: sender.id, to, content: one.content, client }, { key: `deliveries ${sender.id}` })
    }
  })
}

/** Tells the owner of a bot, at most once a minute, about a delivery that failed. */
export async function noticeOwner(
  ctx: WorkerCtx,
  { id, full_name, bot_owner_id }: UserRow,
  text: string,
): Promise<void> {
  if (bot_owner_id === null) return
  const waitMs = await ctx.attempts.count('bot notice', String(id), [ownerLimit], ctx.clock.now())
  if (waitMs > 0) return
  const content = `About your bot ${plainMarkdown(full_name)}: ${text}`
  await ctx.write(async (_tx, _emit, { after }) => addNotices(after, [{ to: { people: [bot_owner_id] }, content }]))
}

function destination(sender: UserRow, { stream, topic }: Place, message: IncomingMessage): To {
  if (stream === undefined) return { people: [sender.bot_owner_id as number] }
  return { channel: isId(stream) ? Number(stream) : stream, topic: topic ?? message.topic }
}

/** Names the channel by its id, which stays when the channel gets another name. @throws {ApiError} STREAM_DOES_NOT_EXIST */
function laterDestination(ctx: WorkerCtx, sender: UserRow, place: Place, { topic }: IncomingMessage): BotMessage['to'] {
  const { stream } = place
  if (stream === undefined) return { people: [sender.bot_owner_id as number] }
  return { channel: channelNamed(ctx, isId(stream) ? Number(stream) : stream).id, topic: place.topic ?? topic }
}

const isId = (stream: string): boolean => /^\d+$/.test(stream)

const isUnknownName = ({ stream = '' }: Place, error: unknown): boolean =>
  error instanceof ApiError && error.code === 'STREAM_DOES_NOT_EXIST' && !isId(stream)

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const clientName = (brand: string, name: string): string =>
  `${capital(brand)}${name.split('_').map(capital).join('')}Webhook`
