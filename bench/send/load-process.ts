import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../lib/statistics.js'
import { openConnection } from './connection.js'
import type { SendAnswer, SendResult, SendRun } from './protocol.js'

// The senders, in a separate process. The server must accept every message, with a unique id.
let number = 0

process.on('disconnect', () => process.exit(0))
process.on('message', async (run: SendRun) => {
  const answer: SendAnswer = await perform(run).then(
    result => ({ ok: true, result }) as const,
    error => ({ ok: false, reason: (error as Error).message }) as const,
  )
  process.send?.(answer)
})

async function perform(run: SendRun): Promise<SendResult> {
  const connections = await Promise.all(
    Array.from({ length: run.inFlight }, (_, i) => {
      const sender = run.senders[i % run.senders.length]
      if (!sender) throw new Error('there is no sender')
      return openConnection(run, sender)
    }),
  )
  const ids = new Set<number>()
  const times: number[] = []
  const cpu = process.cpuUsage()
  const begun = performance.now()
  const { perSecond } = run
  const end = begun + run.seconds * 1000
  await Promise.all(
    connections.map(async connection => {
      for (let turn = 0; ; turn++) {
        if (perSecond !== undefined) await sleep(begun + (turn * 1000) / perSecond - performance.now())
        const sentAt = performance.now()
        if (sentAt >= end) break
        ids.add(await connection.send(++number))
        times.push(performance.now() - sentAt)
      }
    }),
  )
  const elapsedMs = performance.now() - begun
  const used = process.cpuUsage(cpu)
  for (const connection of connections) connection.end()
  if (ids.size !== times.length) throw new Error(`${times.length} messages have ${ids.size} ids`)
  const sorted = Float64Array.from(times)
  return {
    sent: times.length,
    elapsedMs,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    longest: percentile(sorted, 1),
    clientCore: (used.user + used.system) / 1000 / elapsedMs,
  }
}
