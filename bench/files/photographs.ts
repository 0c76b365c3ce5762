import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import type { Bystanding, Stalls } from '../lib/bystanders.js'
import { Child } from '../lib/child.js'
import { total, usageBelow } from '../lib/cpu.js'
import { type Measured, measured } from '../lib/measured.js'
import { makeChannel } from '../lib/people.js'
import { say } from '../lib/say.js'
import type { FilesOptions } from './options.js'
import type { FileServers } from './servers.js'

/** What a channel's readers noticed while photographs arrived, and without them for as long. */
export interface PhotographRound {
  /** Until all thumbnails were made, in ms. */
  readonly elapsedMs: number
  /** CPU in ms of one photograph: its upload, its thumbnail, its message. */
  readonly serverMs: number
  readonly quiet: Stalls
  readonly busy: Stalls
  readonly othersShare: number
}

const everyMs = 20
const restMs = 2000

/** Photographs are sent, shown in messages and scaled, while others expect their messages. */
export async function measurePhotographs(
  { ours, load, undo }: FileServers,
  { rounds, photographs: count }: FilesOptions,
): Promise<PhotographRound[]> {
  const { port, sender, readers, channelId, server, sql } = ours
  const aside = new Child<{ open?: Bystanding }, { stalls?: Stalls }>('lib/bystander-process')
  undo.push(() => aside.stop())
  const accounts = [sender, ...readers]
  const besides = await makeChannel(server, sender, 'aside', accounts)
  await aside.ask({ open: { port, codec: 'json', accounts, channelId: besides, every: everyMs } })
  const stalls = async () => (await aside.ask({})).stalls as Stalls
  const jpeg = await photograph()
  const loads = [load.pid, aside.pid]
  const found: PhotographRound[] = []
  const wait = async () => {
    while ((await sql`select from attachments where width is not null and not has_thumbnails limit 1`).length > 0)
      await sleep(100)
  }
  // The first round is the warm-up.
  for (let round = 0; round <= rounds; round++) {
    await sleep(restMs)
    await stalls()
    const run: Measured<unknown> = await measured({ used: () => usageBelow(server.pid), loads }, async () => {
      await load.ask({ do: 'photographs', port, sender, channelId, jpeg, count })
      await wait()
    })
    const busy = await stalls()
    await sleep(restMs)
    await stalls()
    await sleep(run.elapsedMs)
    const quiet = await stalls()
    const serverMs = total(run.usage.server) / 1000 / count
    if (round > 0) found.push({ elapsedMs: run.elapsedMs, serverMs, quiet, busy, othersShare: run.othersShare })
    say(
      `round ${round}: ${Math.round(run.elapsedMs)} ms; p99 ${busy.p99Delivery.toFixed(1)} ms, longest ${busy.longestDelivery.toFixed(1)} ms; without ${quiet.p99Delivery.toFixed(1)} and ${quiet.longestDelivery.toFixed(1)} ms`,
    )
  }
  const { width } = (await sql`select count(*)::int as width from attachments where has_thumbnails`)[0] as {
    width: number
  }
  if (width !== (rounds + 1) * count) throw new Error(`${(rounds + 1) * count} photographs have ${width} thumbnails`)
  return found
}

/** A picture of twelve million pixels with as many details as a photograph has: some three megabytes. */
function photograph(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  return sharp({ create: { width: 4000, height: 3000, channels: 3, background: '#888', noise } })
    .blur(1.2)
    .jpeg({ quality: 85 })
    .toBuffer()
}
