import { setImmediate as turn } from 'node:timers/promises'
import type { Sql, Tx } from './db.js'

type Work<T> = (tx: Tx) => Promise<T>

// What began neither ends well nor badly: the driver has told already that it is lost.
const never = new Promise<never>(() => {})

/**
 * Makes `begin` of a pool safe for work that outlives its connection. The driver says `rollback` or `commit` when the work
 * ends, and its statements, on the same connection object, whatever has become of that: without a socket it throws where
 * nobody can catch it and the process ends; with a new one it speaks into somebody else's transaction. So once `begin` has
 * been rejected nothing is said any more: what the work still asks for throws, and its end is kept from the driver.
 */
export function withGuardedTransactions(sql: Sql): Sql {
  const begin = sql.begin.bind(sql) as (options: string, work: Work<unknown>) => Promise<unknown>
  const guarded = async (...args: [Work<unknown>] | [string, Work<unknown>]) => {
    const [options, work] = args.length === 1 ? ['', args[0]] : args
    let isOver = false
    try {
      return await begin(options, async tx => {
        try {
          const result = await work(guard(tx, () => isOver))
          return isOver ? never : result
        } catch (error) {
          // With TLS, where no socket of ours delays it, a connection's end follows its error in the same turn.
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

/** The transaction as long as there is one. */
function guard(tx: Tx, isOver: () => boolean): Tx {
  const check = () => {
    if (isOver()) throw Object.assign(new Error('The transaction is over.'), { code: 'CONNECTION_CLOSED' })
  }
  const call = (...args: Parameters<Tx>) => {
    check()
    return tx(...args)
  }
  return Object.assign(call, tx, {
    unsafe: (...args: Parameters<Tx['unsafe']>) => {
      check()
      return tx.unsafe(...args)
    },
    savepoint: (...args: [never]) => {
      check()
      return tx.savepoint(...args)
    },
  }) as Tx
}
