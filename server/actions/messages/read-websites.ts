import type { Ctx } from '../../ctx.js'
import type { External } from '../../external/external.js'
import { ExternalFailure } from '../../external/external-failure.js'
import { readWebsite } from '../../external/read-website.js'
import { textOf } from '../../store/message-edits.js'
import { claimWebsiteWork, endWebsiteWork, keepWebsite } from '../../store/websites.js'
import type { Website } from '../../text/website.js'
import { renderFor } from './render.js'
import { renderAgain } from './render-again.js'

// A worker that dies of a website must not die of it for ever.
const mostAttempts = 3

/**
 * Reads the websites to which one message links, and renders the message again. If it was edited meanwhile, the later text is rendered,
 * and its own work follows.
 * @returns false if no message was due
 */
export async function readWebsites(ctx: Ctx, ending: AbortSignal): Promise<boolean> {
  const { external } = ctx
  const work = external ? await claimWebsiteWork(ctx.sql) : undefined
  if (!external || !work) return false
  if (work.attempts <= mostAttempts) {
    const message = await textOf(ctx.sql, work.message_id)
    const urls = message ? await unreadWebsites(ctx, message) : []
    await Promise.all(urls.map(url => readOne(ctx, external, url, ending)))
    // Another worker does the rest.
    if (ending.aborted) return false
    await renderAgain(ctx, work.message_id)
  }
  await endWebsiteWork(ctx.sql, work)
  return true
}

const unreadWebsites = async (
  ctx: Ctx,
  { sender_id, content, channel_id }: { sender_id: number; content: string; channel_id: number | null },
): Promise<readonly string[]> => (await renderFor(ctx, ctx.sql, sender_id, content, channel_id)).unreadWebsites

async function readOne(ctx: Ctx, external: External, url: string, ending: AbortSignal): Promise<void> {
  let website: Website | null = null
  try {
    website = await readWebsite(external, url, ending)
  } catch (error) {
    if (!(error instanceof ExternalFailure)) throw error
    ctx.log.debug({ reason: error.message }, 'a website was not read')
  }
  if (!ending.aborted) await keepWebsite(ctx.sql, url, website)
}
