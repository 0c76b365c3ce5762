import { setTimeout as sleep } from 'node:timers/promises'
import type { Account } from '../lib/load-protocol.js'
import { type Reading, registerParams } from './reader.js'

// In ms: the server evicts idle queues some time after their idle timeout, and later on a busy machine.
const marginMs = 20_000

/** Registers a queue and never reads it. @throws if the server has not evicted it in time. */
export async function abandonQueue(
  who: Account,
  { api, tally, idleSeconds }: Reading,
  signal: AbortSignal,
): Promise<void> {
  const { queue_id } = await api.call(who, 'POST', '/register', registerParams(idleSeconds))
  tally.add('queues abandoned')
  // A request counts as reading, so the check waits until the queue must be gone.
  await sleep(idleSeconds * 1000 + marginMs, undefined, { signal }).catch(() => undefined)
  if (signal.aborted) return
  const { status, body } = await api.ask(who, 'GET', '/events', { queue_id, last_event_id: -1, dont_block: true })
  if (body.code !== 'BAD_EVENT_QUEUE_ID') {
    throw new Error(`a queue without a consumer for ${idleSeconds} s answers ${status} ${JSON.stringify(body)}`)
  }
  tally.add('abandoned queues collected')
}
