import { KeyedMutex } from '../../concurrency/keyed-mutex.js'
import { budgets } from '../../config/budgets.js'
import type { WorkerCtx } from '../../ctx.js'
import type { External } from '../../external/external.js'
import { BusyHost, ExternalFailure } from '../../external/external-failure.js'
import { readWebsite } from '../../external/read-website.js'
import { logFailure } from '../../failures/log-failure.js'
import { claimWebsiteWork, endWebsiteWork, keepWebsite, type WebsiteWork } from '../../store/files/websites.js'
import { type MessageText, textOf } from '../../store/messages/message-edits.js'
import type { Website } from '../../text/website.js'
import { renderFor } from './render.js'
import { renderAgain } from './render-again.js'

// A website is given up after so many attempts, each of which may have ended the worker.
const mostAttempts = 3
const minuteSeconds = 60

/** Reads the websites to which messages link. Senders take turns, and a worker reads for one sender one message at a time. */
export class WebsiteReader {
  private readonly senders = new Set<number>()
  private readonly claims = new KeyedMutex()
  private last = 0

  /**
   * Reads the websites of one message, and renders it again. If it was edited meanwhile, the later text is rendered, and its own work
   * follows. If the sender or a host has too many at present, the message is due again when its claim ends.
   * @returns false if no message was due
   */
  async readNext(ctx: WorkerCtx, ending: AbortSignal): Promise<boolean> {
    const { external } = ctx
    const work = external ? await this.claim(ctx) : undefined
    if (!external || !work) return false
    try {
      return await readMessage(ctx, external, work, ending)
    } finally {
      this.senders.delete(work.sender_id)
    }
  }

  /** One claim at a time: the next one has to know its sender. */
  private claim({ sql }: WorkerCtx): Promise<WebsiteWork | undefined> {
    return this.claims.run('', async () => {
      const work = await claimWebsiteWork(sql, { after: this.last, except: [...this.senders] })
      if (!work) return undefined
      this.last = work.sender_id
      this.senders.add(work.sender_id)
      return work
    })
  }
}

async function readMessage(
  ctx: WorkerCtx,
  external: External,
  work: WebsiteWork,
  ending: AbortSignal,
): Promise<boolean> {
  if (work.attempts <= mostAttempts) {
    const message = await textOf(ctx.sql, work.message_id)
    const areAllRead = !message || (await readUnknown(ctx, external, message, ending))
    // Another worker does the rest.
    if (ending.aborted) return false
    await renderAgain(ctx, work.message_id)
    if (!areAllRead) return true
  }
  await endWebsiteWork(ctx.sql, work)
  return true
}

/** Reads the websites of a message of which nothing is known. False: some are to be read later. */
async function readUnknown(
  ctx: WorkerCtx,
  external: External,
  { sender_id, content, channel_id }: MessageText,
  ending: AbortSignal,
): Promise<boolean> {
  const { unreadWebsites } = await renderFor(ctx, ctx.sql, { authorId: sender_id, content, channelId: channel_id })
  const read = await Promise.all(
    unreadWebsites.map(url => readOne(ctx, external, { senderId: sender_id, url, ending })),
  )
  return !read.includes(false)
}

/** False: the website is to be read later. */
async function readOne(
  ctx: WorkerCtx,
  external: External,
  { senderId, url, ending }: { readonly senderId: number; readonly url: string; readonly ending: AbortSignal },
): Promise<boolean> {
  if (!(await mayRead(ctx, senderId))) return false
  let website: Website | null = null
  try {
    const owner = { key: `sender ${senderId}`, most: budgets.websitesPerSender.most }
    website = await readWebsite(external, url, owner, ending)
  } catch (error) {
    if (!(error instanceof ExternalFailure)) throw error
    ctx.log.debug({ reason: error.message }, 'a website was not read')
    if (error instanceof BusyHost) return false
  }
  if (!ending.aborted) await keepWebsite(ctx.sql, url, website)
  return true
}

/** Counts a website against the sender of its message, over all workers. False: the sender has had all of this minute. */
async function mayRead({ attempts, clock, log, redis }: WorkerCtx, senderId: number): Promise<boolean> {
  const most = [{ seconds: minuteSeconds, most: budgets.websitesPerMinute.most }]
  try {
    return (await attempts.count('website', String(senderId), most, clock.now())) === 0
  } catch (error) {
    // Without Redis messages are sent as usual, and so they show their websites.
    logFailure({ log, redis }, error, 'a website was not counted against its sender')
    return true
  }
}
