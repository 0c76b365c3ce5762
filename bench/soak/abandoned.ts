import { setTimeout as sleep } from 'node:timers/promises'
import type { Account } from '../lib/load-protocol.js'
import { type Reading, registerParams } from './reader.js'

const idleSeconds = 10
// The server looks for idle queues from time to time, not at each moment.
const collectedMs = 120_000

/** Registers a queue, never reads it, and waits until the server has collected it. @throws when it does not. */
export async function abandonQueue(who: Account, { api, tally }: Reading, signal: AbortSignal): Promise<void> {
  const params = { ...registerParams, idle_queue_timeout: idleSeconds }
  const { queue_id } = await api.call(who, 'POST', '/register', params)
  tally.add('queues abandoned')
  const late = performance.now() + idleSeconds * 1000 + collectedMs
  // Asking would be reading: only once it should be gone for long.
  await sleep(idleSeconds * 3000, undefined, { signal }).catch(() => undefined)
  if (signal.aborted) return
  const { status, body } = await api.ask(who, 'GET', '/events', { queue_id, last_event_id: -1, dont_block: true })
  if (status === 400 && body.code === 'BAD_EVENT_QUEUE_ID') return tally.add('abandoned queues collected')
  if (performance.now() > late) throw new Error(`an abandoned queue answers ${status} ${JSON.stringify(body)}`)
  tally.add('abandoned queues found late')
}
