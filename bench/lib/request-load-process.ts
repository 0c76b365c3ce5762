import { setTimeout as sleep } from 'node:timers/promises'
import { type Asking, openConnection } from './request-connection.js'
import type { LoadRequest, LoadResult, LoadRun } from './request-load.js'
import { serve } from './serve.js'
import { median, percentile } from './statistics.js'

// Sends requests over connections of its own, each after the answer to the one before, in a separate process.
let number = 0
const places = new Map<string, number>()

serve(async (run: LoadRun): Promise<LoadResult> => {
  const connections = await Promise.all(
    Array.from({ length: run.inFlight }, (_, i) =>
      openConnection(run.transport ?? 'http', run.port, run.requests[i % run.requests.length] as LoadRequest),
    ),
  )
  // A cycle continues where the previous run ended, because some requests can be made only once.
  const cycle = JSON.stringify([run.port, run.requests[0]])
  const place = { next: places.get(cycle) ?? 0 }
  const begun = performance.now()
  const { times, ...found } = await askAll(run, connections, place)
  const elapsedMs = performance.now() - begun
  for (const connection of connections) connection.end()
  places.set(cycle, place.next)
  const sorted = Float64Array.from(times)
  return {
    ...found,
    units: times.length,
    elapsedMs,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    longest: percentile(sorted, 1),
  }
})

async function askAll(run: LoadRun, connections: readonly Asking[], place: { next: number }) {
  const { requests, count, seconds = 1, perSecond } = run
  const begun = performance.now()
  const [times, sizes, ids] = [[] as number[], [] as number[], new Set<unknown>()]
  let longest: Buffer = Buffer.alloc(0)
  let asked = 0
  const isOver = () => (count === undefined ? performance.now() >= begun + seconds * 1000 : asked >= count)
  await Promise.all(
    connections.map(async connection => {
      for (let turn = 0; ; turn++) {
        if (perSecond !== undefined) await sleep(begun + (turn * 1000) / perSecond - performance.now())
        if (isOver()) break
        asked++
        const start = performance.now()
        const body = await connection.ask(requests[place.next++ % requests.length] as LoadRequest, ++number)
        times.push(performance.now() - start)
        sizes.push(body.length)
        if (body.length > longest.length) longest = body
        if (run.hasIds) ids.add(JSON.parse(body.toString()).id)
      }
    }),
  )
  if (run.hasIds && ids.size !== times.length) throw new Error(`${times.length} messages have ${ids.size} ids`)
  return { times, bytes: median(sizes), body: longest.toString() }
}
