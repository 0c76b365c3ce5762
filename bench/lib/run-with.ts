import { setTimeout as sleep } from 'node:timers/promises'
import type { Run, RunResult } from './load-protocol.js'
import type { Receivers } from './receivers.js'
import { percentile } from './statistics.js'

// In ms; no delivery takes so long, even on a busy machine.
const stallMs = 20_000

/**
 * Sends the events of a run: `inFlight` at a time, each until every queue has it; or at a fixed rate regardless of
 * deliveries, with the latency of an event counted from the time at which it was due.
 */
export async function runWith(
  name: string,
  receivers: Receivers,
  send: (number: number) => Promise<void>,
  { events, inFlight, perSecond, isRecording = false, first }: Run & { readonly first: number },
): Promise<RunResult> {
  receivers.expect(first, events)
  receivers.isRecording = isRecording
  receivers.recorded.length = 0
  const begun = performance.now()
  let number = first
  const sendOne = async (own: number, dueAt?: number) => {
    const delivered = receivers.sent(own, dueAt)
    await send(own)
    await delivered
  }
  const sendOnes = async () => {
    while (number < first + events) await sendOne(number++)
  }
  const sendAtRate = async (rate: number) => {
    const under: Promise<void>[] = []
    for (let i = 0; i < events; i++) {
      const dueAt = begun + (i * 1000) / rate
      const rest = dueAt - performance.now()
      // Timers have a resolution of 1 ms; events due in between are sent together, each with its own due time.
      if (rest > 0) await sleep(Math.ceil(rest))
      under.push(sendOne(first + i, dueAt))
    }
    await Promise.all(under)
  }
  const watch = watchOver(name, receivers)
  if (perSecond === undefined) await Promise.all(Array.from({ length: inFlight }, sendOnes))
  else await sendAtRate(perSecond)
  clearInterval(watch)
  const elapsedMs = performance.now() - begun
  const { latencies } = receivers
  return {
    first,
    units: latencies.length,
    elapsedMs,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    longest: percentile(latencies, 1),
    recorded: isRecording ? [...receivers.recorded] : [],
  }
}

/** Fails when no event arrives for a while: a lost event must not look like a slow run. */
function watchOver(name: string, receivers: Receivers): NodeJS.Timeout {
  let seen = -1
  return setInterval(() => {
    if (receivers.delivered === seen) throw new Error(`${name}: ${receivers.missing}`)
    seen = receivers.delivered
  }, stallMs)
}
