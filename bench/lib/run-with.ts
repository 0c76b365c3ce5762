import type { Run, RunResult } from './load-protocol.js'
import type { Receivers } from './receivers.js'
import { percentile } from './statistics.js'

// Nothing takes so long, also on a machine that has other things to do.
const stallMs = 20_000

/** Sends the events of a run, `inFlight` of them at a time, each until every queue has it. */
export async function runWith(
  name: string,
  receivers: Receivers,
  send: (number: number) => Promise<void>,
  { events, inFlight, isRecording = false, first }: Run & { readonly first: number },
): Promise<RunResult> {
  receivers.expect(first, events)
  receivers.isRecording = isRecording
  receivers.recorded.length = 0
  const cpu = process.cpuUsage()
  const begun = performance.now()
  let number = first
  const sendOnes = async () => {
    while (number < first + events) {
      const own = number++
      const delivered = receivers.sent(own)
      await send(own)
      await delivered
    }
  }
  const watch = watchOver(name, receivers)
  await Promise.all(Array.from({ length: inFlight }, sendOnes))
  clearInterval(watch)
  const elapsedMs = performance.now() - begun
  const used = process.cpuUsage(cpu)
  const { latencies } = receivers
  return {
    first,
    deliveries: latencies.length,
    elapsedMs,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    clientCore: (used.user + used.system) / 1000 / elapsedMs,
    recorded: isRecording ? [...receivers.recorded] : [],
  }
}

/** Nothing for a while is an event lost, and must not look like a long measurement. */
function watchOver(name: string, receivers: Receivers): NodeJS.Timeout {
  let seen = -1
  return setInterval(() => {
    if (receivers.delivered === seen) throw new Error(`${name}: ${receivers.missing}`)
    seen = receivers.delivered
  }, stallMs)
}
