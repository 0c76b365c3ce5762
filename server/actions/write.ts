import type { Additions, Audit, Ctx, EmitMessage, Origin, Store, Write } from '../ctx.js'
import type { After } from '../job-types/job-type.js'
import { decideNotifications } from '../job-types/notify.js'
import type { Trace } from '../log.js'
import { type Emission, type Emit, emitTo } from '../realtime/emission.js'
import { encodeEmission } from '../realtime/encoding/index.js'
import type { Tx } from '../store/driver/db.js'
import { leasesEnded } from '../store/driver/directory-lease.js'
import type { StatementTally } from '../store/driver/statement-tally.js'
import { isTransient } from '../store/driver/transactions.js'
import { storeConsequences } from '../store/jobs/consequences.js'
import type { NewJob } from '../store/jobs/jobs.js'
import { type NewOutboxRow, type Parts, type StoredEvents, storeWithEvents } from '../store/organization/outbox.js'
import { type Audited, auditEntries } from './audit.js'
import { publishStored } from './publish-stored.js'

const tries = 3

// The origin of changes that the server makes by itself.
const server: Origin = { userId: null, operation: 'server', requestId: '', address: '' }

const encoded = (one: Emission | NewOutboxRow): NewOutboxRow => ('entry' in one ? one : { entry: encodeEmission(one) })

/**
 * Creates the function for changes in a transaction: `emit` collects events, which are published after the commit. Administrative changes
 * are written to the audit log in the same transaction, and so are the jobs of `after`. `jobs` learns of those that were committed. `byDefault`: the origin of changes that no request made.
 */
export function createWrite(
  ctx: Pick<Ctx, 'sql' | 'realtime' | 'directory' | 'jobs' | 'log'>,
  byDefault = server,
): Write {
  const { sql, realtime, directory, jobs } = ctx

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
    let hasMessages = false
    const emitMessage: EmitMessage = (messageId, entries) => {
      hasMessages = true
      emissions.push(...entries.map(entry => ({ entry, messageId })))
    }
    const added: (NewJob & { readonly isAwaited: boolean })[] = []
    let jobIds: readonly number[] = []
    const after: After = ({ name: kind, isAwaited = false }, payload, options) => {
      added.push({ kind, payload, isAwaited, ...options })
    }
    let stored: { readonly events: StoredEvents; readonly entries: readonly NewOutboxRow[] } | undefined
    const { knownRows } = realtime
    const { noted } = knownRows
    const transaction = async (tx: Tx) => {
      const store: Store = async <Row extends object>(parts: Parts) => {
        const entries = emissions.splice(0).map(encoded)
        const done = await storeWithEvents<Row>(tx, parts, entries, knownRows.above)
        if (done?.events) stored = { events: done.events, entries }
        return done?.done
      }
      const value = await work(tx, emit, { audit, after, emitMessage, store })
      if (stored && emissions.length > 0) {
        throw new Error('an event was emitted after the statement that stores the events')
      }
      const entries = emissions.map(encoded)
      const consequences = { audit: auditEntries(audited, directory, origin), jobs: added, events: entries }
      // I1: a change and its events are stored in one transaction.
      const last = await storeConsequences(tx, consequences, knownRows.above)
      jobIds = last.jobIds
      if (last.events) stored = { events: last.events, entries }
      await leasesEnded(tx, waitMs => {
        directory.recall()
        return realtime.recallDirectories(waitMs)
      })
      return { value }
    }
    const begin = (within: typeof transaction) => sql.begin(within)
    const result = await (tally ? tally.transaction(begin, transaction) : begin(transaction))
    // Before the jobs begin: their messages come after the events of their cause.
    if (stored) await publishStored(ctx, { ...stored, noted, trace })
    if (hasMessages) jobs.wake(decideNotifications)
    if (added.length > 0) {
      jobs.added(
        added.map((job, i) => ({ ...job, id: jobIds[i] })),
        origin.awaited,
      )
    }
    return result.value as T
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
