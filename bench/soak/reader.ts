import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpClient } from '../lib/http-client.js'
import type { Account } from '../lib/load-protocol.js'
import { registration } from '../lib/load-target.js'
import type { Ledger } from './ledger.js'
import { QueueCheck } from './queue-check.js'

/** A queue with a client that reads it. */
export interface Reader {
  readonly name: string
  readonly check: QueueCheck | undefined
  /** Since when it has been reading without interruption; undefined: it does not read. */
  readonly listening: number | undefined
  /** An interruption: reconnect, or register again. */
  disturb(): Promise<void> | void
  /** Ends the client. `isPolite`: it deletes its queue; otherwise the server has to evict it. */
  stop(isPolite: boolean): Promise<void>
}

/** What all readers share. */
export interface Reading {
  readonly ledger: Ledger
  /** Counts what happened. */
  count(what: string): void
  readonly url: URL
  readonly api: HttpClient
  /** The idle timeout of the queues, in seconds. */
  readonly idleSeconds: number
  /** Fails the soak. */
  fail(error: Error): void
}

/** The parameters of `register` of all readers. */
export const registerParams = (idleSeconds: number) => ({
  apply_markdown: true,
  fetch_event_types: [] as string[],
  client_capabilities: { ...registration.client_capabilities, stream_typing_notifications: true },
  idle_queue_timeout: idleSeconds,
})

/** Prepares the check of a queue before its registration; call the returned function with the answer. */
export function checkFrom({ ledger }: Reading, name: string, { id: user }: Account, types?: readonly string[]) {
  const place = ledger.end
  const asked = performance.now()
  return (lastEventId: number): QueueCheck =>
    new QueueCheck(
      ledger,
      { name, serial: ledger.newQueue(), user, types, asked, answered: performance.now(), lastEventId },
      place,
    )
}

/** Waits until the reader has received everything expected so far; a late event fails the soak. */
export async function caughtUp(reader: Reader, ledger: Ledger): Promise<void> {
  const end = ledger.end
  while (reader.check && reader.check.place < end) await sleep(50)
}
