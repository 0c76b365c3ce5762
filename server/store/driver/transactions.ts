import { setImmediate as turn } from 'node:timers/promises'
import type { Sql, Tx } from './db.js'
import { leasesEnded } from './directory-lease.js'
import { countQuery } from './statement-tally.js'

type Work<T> = (tx: Tx) => Promise<T>

// SQLSTATEs of failed serializations and deadlocks: nothing has happened, and a retry nearly always succeeds.
const transient: ReadonlySet<unknown> = new Set(['40001', '40P01'])

/** Whether a statement or transaction failed only because of others that ran at the same time. */
export const isTransient = (error: unknown): boolean => transient.has((error as { code?: unknown }).code)

// The result of work after its transaction is over: it never settles, because the driver has already rejected `begin`.
const never = new Promise<never>(() => {})

/**
 * Makes `begin` of a pool safe for work that outlives its connection. The driver sends the work's statements, and `commit` or
 * `rollback` at its end, on the same connection object, even if its socket is lost. Without a socket it throws an error that no caller
 * can catch, and the process ends; with a new socket it writes into another transaction. So after `begin` has rejected, further
 * statements of the work throw, and the end of the work does not reach the driver.
 *
 * A transaction that changes the directory commits only after the leases of all workers have ended.
 */
export function withGuardedTransactions(sql: Sql): Sql {
  const begin = sql.begin.bind(sql) as (options: string, work: Work<unknown>) => Promise<unknown>
  const guarded = async (...args: [Work<unknown>] | [string, Work<unknown>]) => {
    const [options, work] = args.length === 1 ? ['', args[0]] : args
    let isOver = false
    try {
      return await begin(options, async tx => {
        try {
          const guarded = guard(tx, () => isOver)
          const result = await work(guarded)
          await leasesEnded(guarded)
          return isOver ? never : result
        } catch (error) {
          // With TLS there is no PoolSocket to delay it, so the end of a connection follows its error in the same turn.
          await turn()
          if (isOver) return never
          throw error
        }
      })
    } finally {
      isOver = true
    }
  }
  return Object.assign(sql, { begin: guarded as Sql['begin'] })
}

/** A transaction whose statements throw once it is over. */
function guard(tx: Tx, isOver: () => boolean): Tx {
  const check = () => {
    if (isOver()) throw Object.assign(new Error('The transaction is over.'), { code: 'CONNECTION_CLOSED' })
  }
  const call = (...args: Parameters<Tx>) => {
    check()
    return countQuery(guarded, tx(...args))
  }
  const guarded = Object.assign(call, tx, {
    unsafe: (...args: Parameters<Tx['unsafe']>) => {
      check()
      return countQuery(guarded, tx.unsafe(...args))
    },
    savepoint: (...args: [never]) => {
      check()
      return tx.savepoint(...args)
    },
  }) as Tx
  return guarded
}
