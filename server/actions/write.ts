import type { Additions, Audit, Ctx, EmitMessage, Origin, Store, Write } from '../ctx.js'
import type { After } from '../job-types/job-type.js'
import type { Trace } from '../log.js'
import { type Emission, type Emit, emitTo } from '../realtime/emission.js'
import { encodeEmission } from '../realtime/encoding/index.js'
import type { Tx } from '../store/driver/db.js'
import { leasesEnded } from '../store/driver/directory-lease.js'
import type { StatementTally } from '../store/driver/statement-tally.js'
import { isTransient } from '../store/driver/transactions.js'
import { insertJobs, type NewJob } from '../store/jobs/jobs.js'
import { insertAuditEntries } from '../store/organization/audit-log.js'
import {
  insertOutbox,
  type NewOutboxRow,
  type Parts,
  readOutbox,
  type StoredEvents,
  storeWithEvents,
} from '../store/organization/outbox.js'
import { type Audited, auditEntries } from './audit.js'
import { PublishingOrder } from './publishing-order.js'

const tries = 3

// The origin of changes that the server makes by itself.
const server: Origin = { userId: null, operation: 'server', requestId: '', address: '' }

const encoded = (one: Emission | NewOutboxRow): NewOutboxRow => ('entry' in one ? one : { entry: encodeEmission(one) })

/**
 * Creates the function that all durable changes use: `emit` collects events, which are published after the commit. Administrative changes
 * are written to the audit log in the same transaction, and so are the jobs of `after`. `jobs` learns of those that were committed. `byDefault`: the origin of changes that no request made.
 */
export function createWrite(
  { sql, realtime, directory, jobs }: Pick<Ctx, 'sql' | 'realtime' | 'directory' | 'jobs'>,
  byDefault = server,
): Write {
  const order = new PublishingOrder()

  async function once<T>(
    work: (tx: Tx, emit: Emit, additions: Additions) => Promise<T>,
    trace?: Trace,
    origin = byDefault,
    tally?: StatementTally,
  ): Promise<T> {
    const emissions: (Emission | NewOutboxRow)[] = []
    const audited: Audited[] = []
    const add = emitTo(emissions)
    const emit: Emit = (def, payload, audience, options) => {
      if (def.audit) audited.push({ def, payload } as Audited)
      add(def, payload, audience, options)
    }
    const audit: Audit = (name, change) => {
      audited.push({ def: { name, audit: () => [change] }, payload: change })
    }
    const emitMessage: EmitMessage = (messageId, entries) => {
      emissions.push(...entries.map(entry => ({ entry, messageId })))
    }
    const added: (NewJob & { readonly isAwaited: boolean })[] = []
    let jobIds: readonly number[] = []
    const after: After = ({ name: kind, isAwaited = false }, payload, options) => {
      added.push({ kind, payload, isAwaited, ...options })
    }
    let publish: (() => void) | null = null
    let settle: ReturnType<PublishingOrder['enter']> = async () => {}
    const { knownRows } = realtime
    const { noted } = knownRows
    try {
      const transaction = async (tx: Tx) => {
        const note = async ({ rows, earlier }: StoredEvents, entries: readonly NewOutboxRow[]) => {
          const own = rows.map(({ id, xid }, i) => ({ ...(entries[i] as NewOutboxRow), outboxId: id, xid, trace }))
          // Rows that other workers committed and may not have published yet: this transaction's changes may build on them.
          const ids = knownRows.before({ ...earlier, noted })
          const before = ids && ids.length > 0 ? await readOutbox(tx, ids) : []
          publish = ids ? () => realtime.publish([...before, ...own]) : () => realtime.publishBehindOutbox(own)
        }
        const store: Store = async <Row extends object>(parts: Parts) => {
          const entries = emissions.splice(0).map(encoded)
          const stored = await storeWithEvents<Row>(tx, parts, entries, knownRows.above)
          if (stored?.events) await note(stored.events, entries)
          return stored?.done
        }
        const value = await work(tx, emit, { audit, after, emitMessage, store })
        if (added.length > 0) jobIds = await insertJobs(tx, added)
        if (audited.length > 0) await insertAuditEntries(tx, auditEntries(audited, directory, origin))
        await leasesEnded(tx, waitMs => {
          directory.recall()
          return realtime.recallDirectories(waitMs)
        })
        if (emissions.length > 0) {
          if (publish) throw new Error('an event was emitted after the statement that stores the events')
          const entries = emissions.map(encoded)
          // I1: a change and its events are stored in one transaction.
          await note(await insertOutbox(tx, entries, knownRows.above), entries)
        }
        if (publish) settle = order.enter()
        return { value }
      }
      const begin = (within: typeof transaction) => sql.begin(within)
      const result = await (tally ? tally.transaction(begin, transaction) : begin(transaction))
      const published = settle(publish)
      if (added.length > 0) {
        jobs.added(
          added.map((job, i) => ({ ...job, id: jobIds[i] })),
          origin.awaited,
        )
      }
      // The writer publishes the next message of the place as soon as it is stored, and stores it when this promise resolves.
      if (emissions.some(one => 'entry' in one)) await published
      return result.value as T
    } catch (error) {
      void settle(null)
      throw error
    }
  }

  return async (work, trace, origin, tally) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await once(work, trace, origin, tally)
      } catch (error) {
        if (attempt >= tries || !isTransient(error)) throw error
      }
    }
  }
}
