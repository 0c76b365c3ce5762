import { ApiError } from '../../../shared/errors.js'
import type { Ctx } from '../../ctx.js'
import { logFailure } from '../../failures/log-failure.js'
import { thumbnails } from '../../job-types/thumbnails.js'
import { websites } from '../../job-types/websites.js'
import type { SentMessage } from '../../presenters/sent-message.js'
import type { Tx } from '../../store/driver/db.js'
import { hastenPictures } from '../../store/files/thumbnails.js'
import { messageOfKey } from '../../store/messages/idempotency-keys.js'
import { holdChannels } from '../../store/messages/message-audience.js'
import { RepeatedRequest } from '../create-once.js'
import { emitUses } from '../files/uses.js'
import { keyOf, type PreparedMessage, prepareMessage, type Sending } from './prepare.js'
import type { To } from './recipients.js'
import { type PrepareUnderLocks, storeMessage } from './store-message.js'

// A try fails when the organization or the channel's subscribers changed meanwhile; the next try has read the change.
const triesWithoutLocks = 4

/**
 * Sends a message. Permissions and audience come from this worker's caches; the insert compares their versions and stores nothing if one
 * has changed. So a message needs no query for permissions or subscribers, and its audience is exact. The last try prepares the message under
 * locks, for a channel that changes all the time. A repeated send returns the id of the first message.
 * @throws {ApiError}; {RepeatedRequest} if an earlier request has stored the key of this one
 */
export async function sendMessage(ctx: Ctx, sending: Sending): Promise<SentMessage> {
  let isCertain = false
  for (let attempt = 0; attempt <= triesWithoutLocks; attempt++) {
    const isLast = attempt === triesWithoutLocks
    try {
      const sent = await trySend(ctx, sending, isLast ? tx => prepareUnderLocks(ctx, tx, sending) : undefined)
      if (sent) return sent
    } catch (error) {
      // The error may rest on an outdated cache: refresh and try once more.
      if (!(error instanceof ApiError)) throw error
      if (isCertain || isLast) return { id: await firstOf(ctx, sending, error), newPolicy: undefined }
      isCertain = true
    }
    await ctx.directory.fresh()
    forgetSubscribers(ctx, sending.to)
  }
  throw new ApiError('SERVER_NOT_READY', 'The channel changes too fast: try again')
}

/** Undefined: what the message was prepared with has changed, and nothing was stored. */
async function trySend(ctx: Ctx, sending: Sending, locks?: PrepareUnderLocks): Promise<SentMessage | undefined> {
  const stored = await storeMessage(ctx, await prepareMessage(ctx, sending), locks)
  if (!stored) return undefined
  const { message, inserted, newPolicy } = stored
  if (inserted.isRepeat && sending.key) throw new RepeatedRequest()
  if (inserted.isRepeat) return { id: inserted.id, newPolicy: undefined }
  if (message.awaitsWebsites) ctx.jobs.added([{ kind: websites.name }])
  if (message.attachmentIds.length > 0) await announceUses(ctx, message)
  return { id: inserted.id, newPolicy, sentAt: message.date_sent }
}

/** While the transaction has these locks, neither what the message rests on nor the channel's subscribers change. */
async function prepareUnderLocks(ctx: Ctx, tx: Tx, sending: Sending): Promise<PreparedMessage> {
  await ctx.directory.hold(tx, 'share')
  const channelId = channelOf(ctx, sending.to)
  if (channelId !== undefined) await holdChannels(tx, [channelId], 'share')
  return prepareMessage(ctx, sending, tx)
}

/**
 * The message of an earlier send with the same local id: the sender may have lost a permission since, or the channel may be archived.
 * @throws `refusal` if there is none
 */
async function firstOf(ctx: Ctx, sending: Sending, refusal: ApiError): Promise<number> {
  // The caller looks for the key of a request.
  const key = sending.key ? undefined : keyOf(sending)?.key
  const id = key === undefined || refusal.status >= 500 ? undefined : await messageOfKey(ctx.sql, key)
  if (id === undefined) throw refusal
  return id
}

/** Tells the uploaders of files that a message uses them. A failure is only logged: the message has been sent. */
async function announceUses(ctx: Ctx, { attachmentIds, awaitedPictures }: PreparedMessage): Promise<void> {
  try {
    await ctx.write(async (tx, emit, { after }) => {
      await emitUses(tx, emit, attachmentIds)
      if (awaitedPictures.length === 0) return
      await hastenPictures(tx, awaitedPictures)
      after(thumbnails, {})
    })
  } catch (error) {
    logFailure(ctx, error, 'the use of files was not announced')
  }
}

function channelOf({ directory }: Ctx, to: To): number | undefined {
  if (!('channel' in to)) return undefined
  return typeof to.channel === 'number' ? to.channel : directory.channelNamed(to.channel)?.id
}

function forgetSubscribers(ctx: Ctx, to: To): void {
  const channelId = channelOf(ctx, to)
  if (channelId !== undefined) ctx.memory.subscribers.forget(channelId)
}
