import { ApiError } from '../../shared/errors.js'
import type { Ctx } from '../ctx.js'
import type { After } from '../job-types/job-type.js'
import { type Emission, type Emit, emitTo } from '../realtime/emission.js'
import { encodeEmission } from '../realtime/encoding/index.js'
import type { ISql, Tx } from '../store/driver/db.js'
import { noteListChange } from '../store/driver/directory-lease.js'
import { ofFragments } from '../store/driver/fragment.js'
import { isTransient } from '../store/driver/transactions.js'
import { type Parts, runParts, storeWithEvents } from '../store/organization/outbox.js'
import { publishStored } from './publish-stored.js'

// A try fails if something has changed since it was prepared; the next one has read the change.
const triesWithoutLocks = 3

/** Makes the parts `checked` and `done` of the statement (`storeWithEvents`). `version`: that of the directory when `prepare` began. */
export type Prepared = (sql: ISql, version: number) => Parts

interface Change {
  /**
   * Reads what the change needs, decides, and emits its events. Permissions may rest on what the worker remembers, because `checked` compares
   * versions. `tx`: the transaction that holds the locks, with `after`; null: nothing is locked. 'locks': the change needs further statements,
   * and is prepared again in a transaction. Null: there is nothing to change.
   * @throws {ApiError} a refusal
   */
  prepare(sql: ISql, emit: Emit, tx: Tx | null, after?: After): Promise<Prepared | 'locks' | null>
  /** The statement changes facts of lists of channels, so it commits only when the leases of all workers have ended (store/driver/directory-lease.ts). */
  readonly changesLists?: boolean
  /** Takes the locks that keep what `prepare` reads as it is. Absent: only the lock of the organization's version. */
  hold?(tx: Tx): Promise<unknown>
}

/** There was nothing to change: the transaction is rolled back. */
class NothingDone extends Error {}

/**
 * Makes a change with one statement, which takes the locks, compares the versions that the change was prepared with, changes rows, stores the
 * events, and commits by itself. So locks last as long as this statement. If something has changed meanwhile, the change is prepared
 * again, at last in a transaction under the locks (docs/architecture.md#how-any-write-works). With an idempotency key it is made in a
 * transaction at once.
 * @returns the row of `done`; undefined: there was nothing to change
 * @throws {ApiError} a refusal of `prepare` with a fresh directory
 */
export async function writeAtOnce<Row extends object = object>(ctx: Ctx, change: Change): Promise<Row | undefined> {
  const done = await writeWithoutLocks<Row>(ctx, change)
  return done === 'locks' ? underLocks(ctx, change) : done
}

/** As `writeAtOnce`; 'locks': the caller makes the change in a transaction under locks. */
export async function writeWithoutLocks<Row extends object = object>(
  ctx: Ctx,
  change: Change,
): Promise<Row | undefined | 'locks'> {
  let isFresh = false
  for (let attempt = 1; attempt <= triesWithoutLocks && !ctx.isKeyed; attempt++) {
    try {
      const stored = await tryOnce<Row>(ctx, change)
      if (stored === 'locks') return stored
      if (stored === null) return undefined
      if (stored) return stored.done
    } catch (error) {
      const isPassing = isTransient(error) || (error instanceof ApiError && !isFresh)
      if (!isPassing) throw error
    }
    await ctx.directory.fresh()
    isFresh = true
  }
  return 'locks'
}

async function tryOnce<Row extends object>(ctx: Ctx, change: Change) {
  const { realtime, trace } = ctx
  const sql = ofFragments(ctx.sql)
  // If the directory changes while the change is prepared, the statement finds another version.
  const { version } = ctx.directory
  const emissions: Emission[] = []
  const prepared = await change.prepare(sql, emitTo(emissions), null)
  if (prepared === 'locks' || prepared === null) return prepared
  // Their entries of the audit log would be another statement.
  if (emissions.some(({ def }) => def.audit)) throw new Error('an administrative change needs ctx.write')
  if (change.changesLists) return storeWithLists<Row>(ctx, emissions, within => prepared(within, version))
  const { above, noted } = realtime.knownRows
  const entries = emissions.map(emission => ({ entry: encodeEmission(emission) }))
  const stored = await storeWithEvents<Row>(sql, prepared(sql, version), entries, above)
  if (stored?.events) await publishStored(ctx, { events: stored.events, entries, noted, trace })
  return stored
}

async function storeWithLists<Row extends object>(
  ctx: Ctx,
  emissions: readonly Emission[],
  prepared: (tx: Tx) => Parts,
) {
  const done = await ctx.write(async (tx, emit, { store }) => {
    for (const { def, payload, audience, ...options } of emissions) emit(def, payload, audience, options)
    const row = await store<Row>(prepared(tx))
    if (row) noteListChange(tx)
    return row
  }, ctx.trace)
  return done && { done }
}

async function underLocks<Row extends object>(ctx: Ctx, change: Change): Promise<Row | undefined> {
  try {
    return await ctx.write(async (tx, emit, { after }) => {
      await (change.hold ? change.hold(tx) : ctx.directory.hold(tx, 'share'))
      const prepared = await change.prepare(tx, emit, tx, after)
      if (prepared === 'locks') throw new Error('the change has its locks already')
      const done = prepared && (await runParts<Row>(tx, prepared(tx, ctx.directory.version)))
      if (!done) throw new NothingDone()
      return done
    })
  } catch (error) {
    if (error instanceof NothingDone) return undefined
    throw error
  }
}
