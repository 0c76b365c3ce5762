import { setTimeout as sleep } from 'node:timers/promises'
import type { Account } from '../lib/load-protocol.js'
import type { Api } from './api.js'
import type { Ledger } from './ledger.js'
import { QueueCheck } from './queue-check.js'
import type { Tally } from './tally.js'

/** A queue with somebody who reads it. */
export interface Reader {
  readonly name: string
  readonly check: QueueCheck | undefined
  /** Since when it has been reading without a break; undefined: it does not. */
  readonly listening: number | undefined
  /** What one does from time to time: reconnect, end, begin anew. */
  disturb(): Promise<void> | void
  /** Ends. `isPolite`: its queue goes with it; otherwise the server has to find out. */
  stop(isPolite: boolean): Promise<void>
}

/** What readers share. */
export interface Reading {
  readonly ledger: Ledger
  readonly tally: Tally
  readonly url: URL
  readonly api: Api
  /** After which the server collects a queue that nobody reads. */
  readonly idleSeconds: number
  /** Ends the soak. */
  fail(error: Error): void
}

/** Parameters of `register` for all of them. */
export const registerParams = (idleSeconds: number) => ({
  apply_markdown: true,
  fetch_event_types: [] as string[],
  client_capabilities: {
    bulk_message_deletion: true,
    stream_typing_notifications: true,
    empty_topic_name: true,
    user_avatar_url_field_optional: true,
    notification_settings_null: true,
    archived_channels: true,
  },
  idle_queue_timeout: idleSeconds,
})

/** The check of a queue that is about to be registered; call what it returns with the answer. */
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

/** Until it has all that was caused up to now: what is not there in time ends the soak. */
export async function caughtUp(reader: Reader, ledger: Ledger): Promise<void> {
  const end = ledger.end
  while (reader.check && reader.check.place < end) await sleep(50)
}
