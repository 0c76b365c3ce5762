import { ApiError, badRequest } from '../../../shared/errors.js'
import type { WorkerCtx } from '../../ctx.js'
import type { IncomingMessage, Integration } from '../../integrations/index.js'
import { addNotices } from '../../job-types/notice.js'
import type { UserRow } from '../../store/users/users.js'
import { plainMarkdown } from '../../text/quote.js'
import type { To } from '../messages/recipients.js'
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
  if (place.stream === undefined && sender.bot_owner_id === null) throw badRequest('This key needs a channel.')
  for (const message of messages) {
    const to = destination(sender, place, message)
    try {
      await sendMessage(ctx, {
        senderId: sender.id,
        client: clientName(ctx.config.wireBrand, integration.name),
        to,
        content: message.content,
        readBySender: false,
      })
    } catch (error) {
      if (!(await isForOwner(ctx, sender, place, error))) throw error
      return
    }
  }
}

function destination(sender: UserRow, { stream, topic }: Place, message: IncomingMessage): To {
  if (stream === undefined) return { people: [sender.bot_owner_id as number] }
  return { channel: /^\d+$/.test(stream) ? Number(stream) : stream, topic: topic ?? message.topic }
}

/** Whether the owner of the bot learns of the failure in place of the service. */
async function isForOwner(ctx: WorkerCtx, sender: UserRow, { stream = '' }: Place, error: unknown): Promise<boolean> {
  const ownerId = sender.bot_owner_id
  const isUnknownName = error instanceof ApiError && error.code === 'STREAM_DOES_NOT_EXIST' && !/^\d+$/.test(stream)
  if (!isUnknownName || ownerId === null) return false
  const waitMs = await ctx.attempts.count('bot notice', String(sender.id), [ownerLimit], ctx.clock.now())
  if (waitMs === 0) {
    const content = `Your bot ${plainMarkdown(sender.full_name)} tried to write to the channel ${plainMarkdown(stream)}, which does not exist.`
    await ctx.write(async (_tx, _emit, { after }) => addNotices(after, [{ to: { people: [ownerId] }, content }]))
  }
  return true
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const clientName = (brand: string, name: string): string =>
  `${capital(brand)}${name.split('_').map(capital).join('')}Webhook`
