import type { Write } from '../ctx.js'
import type { Trace } from '../log.js'
import type { Emission, Emit } from '../realtime/emission.js'
import { encodeEmission } from '../realtime/entry.js'
import type { Realtime } from '../realtime/realtime.js'
import type { Sql, Tx } from '../store/db.js'
import { insertOutbox, readOutbox } from '../store/outbox.js'
import { PublishingOrder } from './publishing-order.js'

// Deadlocks and failed serialization: nothing has happened, and a second try nearly always succeeds.
const transient = new Set(['40001', '40P01'])
const tries = 3

/** Makes the function through which all durable changes go (house rule: emit collects, write publishes after the commit). */
export function createWrite(sql: Sql, realtime: Realtime): Write {
  const order = new PublishingOrder()

  async function once<T>(work: (tx: Tx, emit: Emit) => Promise<T>, trace?: Trace): Promise<T> {
    const emissions: Emission[] = []
    const emit: Emit = (def, payload, audience, options) => {
      // An event for nobody is no event, unless queues take it for another reason than their user.
      if (audience.length > 0 || options?.publicReaders?.length) {
        emissions.push({ def, payload, audience, ...options } as Emission)
      }
    }
    let publish: (() => void) | null = null
    let settle: (publish: (() => void) | null) => void = () => {}
    try {
      const result = await sql.begin(async tx => {
        const value = await work(tx, emit)
        if (emissions.length === 0) return { value }
        const entries: Uint8Array[] = emissions.map(encodeEmission)
        const { knownRows } = realtime
        const { rows, earlier } = await insertOutbox(tx, entries, knownRows.above)
        // Committed through other workers, and maybe not published yet: what we changed may rest on it.
        const unknown = earlier.filter(id => !knownRows.has(id))
        const before = unknown.length > 0 ? await readOutbox(tx, unknown) : []
        const own = rows.map(({ id, xid }, i) => ({ entry: entries[i] as Uint8Array, outboxId: id, xid, trace }))
        publish = () => realtime.publish([...before, ...own])
        settle = order.enter()
        return { value }
      })
      settle(publish)
      return result.value as T
    } catch (error) {
      settle(null)
      throw error
    }
  }

  return async (work, trace) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await once(work, trace)
      } catch (error) {
        if (attempt >= tries || !transient.has((error as { code?: string }).code ?? '')) throw error
      }
    }
  }
}
