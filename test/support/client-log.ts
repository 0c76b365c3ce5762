import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'ws'
import { type Client, type ConnectOptions, connect, type StateChange } from '../../shared/client/index.js'
import type { Teardown } from './services.js'

/** Short delays for tests. */
export const quick = { webSocket: WebSocket, ack: { events: 10, ms: 5 }, backoff: { firstMs: 5, maxMs: 20 } }

/** A client with its event ids in order, its states and its errors. */
interface LoggedClient {
  readonly client: Client
  readonly ids: number[]
  readonly states: StateChange[]
  readonly errors: unknown[]
}

export function loggedClient(t: Teardown, options: ConnectOptions): LoggedClient {
  const ids: number[] = []
  const states: StateChange[] = []
  const errors: unknown[] = []
  const client = connect({ ...quick, ...options })
  client.on('*', event => ids.push(event.id))
  client.observe('state', change => states.push(change))
  client.observe('error', error => errors.push(error))
  t.teardown(() => client.close())
  return { client, ids, states, errors }
}

/** Waits until a condition is true; only a failing test waits long. */
export async function until(isSo: () => boolean, what = 'what was expected'): Promise<void> {
  for (let waited = 0; !isSo(); waited += 5) {
    if (waited > 60_000) throw new Error(`${what} did not come`)
    await sleep(5)
  }
}
