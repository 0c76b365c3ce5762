import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { Bystanders, stallsTable } from '../lib/bystanders.js'
import { usageBelow } from '../lib/cpu.js'
import { medianOf, say } from '../lib/figures.js'
import { measured } from '../lib/measured.js'
import { atMost } from '../lib/result.js'
import type { FileServers, FilesOptions, PartFound } from './servers.js'

const restMs = 2000

/** Photographs are sent, shown in messages and scaled, while others expect their messages. */
export async function measurePhotographs(servers: FileServers, options: FilesOptions): Promise<PartFound> {
  const count = options.photographs
  const rounds = await photographRounds(servers, options)
  const [elapsed, cpu] = [medianOf(rounds, one => one.elapsedMs), medianOf(rounds, one => one.serverMs)].map(Math.round)
  const longer = medianOf(rounds, ({ busy, quiet }) => busy.p99Delivery - quiet.p99Delivery)
  return {
    runs: rounds,
    table: stallsTable(`All thumbnails took ${elapsed} ms, a photograph ${cpu} ms of CPU; deliveries meanwhile`, [
      ['with photographs', rounds.map(({ busy }) => busy)],
      ['without', rounds.map(({ quiet }) => quiet)],
    ]),
    targets: [atMost(20, 'ms', `${count} photographs: what deliveries wait longer, 99th percentile`, longer)],
  }
}

async function photographRounds({ ours, load, undo }: FileServers, { rounds, photographs: count }: FilesOptions) {
  const { sender, readers, channelId, server, sql } = ours
  const aside = await Bystanders.start(undo, server, [sender, ...readers])
  const jpeg = await photograph()
  const show = { do: 'show', port: server.port, sender, channelId, type: 'image/jpeg', file: jpeg, count } as const
  const found = []
  // The first round is the warm-up.
  for (let round = 0; round <= rounds; round++) {
    await sleep(restMs)
    await aside.stalls()
    const run = await measured({ used: () => usageBelow(server.pid), loads: [load.pid, aside.pid] }, async () => {
      await load.ask(show)
      while ((await sql`select from attachments where width is not null and not has_thumbnails limit 1`).length > 0)
        await sleep(100)
    })
    const busy = await aside.stalls()
    await sleep(restMs)
    await aside.stalls()
    await sleep(run.elapsedMs)
    const quiet = await aside.stalls()
    const serverMs = run.usage.server / 1000 / count
    if (round > 0) found.push({ elapsedMs: run.elapsedMs, serverMs, quiet, busy, othersShare: run.othersShare })
    const [with_, without] = [busy.p99Delivery, quiet.p99Delivery].map(ms => ms.toFixed(1))
    say(`round ${round}: ${Math.round(run.elapsedMs)} ms; p99 ${with_} ms, without ${without} ms`)
  }
  const made = await sql`select from attachments where has_thumbnails`
  const all = (rounds + 1) * count
  if (made.length !== all) throw new Error(`${all} photographs have ${made.length} thumbnails`)
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
