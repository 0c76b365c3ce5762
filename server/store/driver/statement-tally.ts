import type { Sql, Tx } from './db.js'

/** What the driver does when a query is awaited for the first time. A query that is a part of another one is never executed. */
type Executed = Promise<unknown> & { handler: (query: unknown) => void }

/**
 * Counts the statements of one request, and the time in which at least one of them waited for PostgreSQL or for a connection. Statements that
 * several requests share, such as the question for the version of the directory, are not among them.
 */
export class StatementTally {
  statements = 0
  private _ms = 0
  private underWay = 0
  private since = 0
  private readonly _end = () => this.end()

  get ms(): number {
    return this.underWay > 0 ? this._ms + performance.now() - this.since : this._ms
  }

  begin(): void {
    this.statements++
    if (this.underWay++ === 0) this.since = performance.now()
  }

  end(): void {
    if (--this.underWay === 0) this._ms += performance.now() - this.since
  }

  /** Counts the work as one statement. */
  async timed<T>(work: () => Promise<T>): Promise<T> {
    this.begin()
    try {
      return await work()
    } finally {
      this.end()
    }
  }

  /** Counts a query when it is executed. Returns it. */
  watched<Query>(query: Query): Query {
    if (!(query instanceof Promise)) return query
    const executed = query as Query & Executed
    const { handler } = executed
    executed.handler = given => {
      this.begin()
      // Not `then` of the query, which would execute it again.
      Promise.prototype.then.call(query, this._end, this._end)
      handler(given)
    }
    return query
  }

  /** The pool, with statements and transactions that count here. */
  counting(sql: Sql): Sql {
    const call = (...args: Parameters<Sql>) => this.watched(sql(...args))
    return Object.assign(Object.setPrototypeOf(call, sql), {
      unsafe: (...args: Parameters<Sql['unsafe']>) => this.watched(sql.unsafe(...args)),
      begin: (...args: [Work] | [string, Work]) => {
        const [options, work] = args.length === 1 ? ['', args[0]] : args
        return this.transaction(within => sql.begin(options, within), work)
      },
    }) as Sql
  }

  /** Runs a transaction whose statements count here, and whose begin and end count as one each. */
  transaction<T, R>(begin: (work: (tx: Tx) => Promise<R>) => Promise<T>, work: (tx: Tx) => R | Promise<R>): Promise<T> {
    // The caller's own work between the statements is no time of the database.
    return this.timed(() =>
      begin(async tx => {
        this.end()
        countIn(tx, this)
        try {
          return await work(tx)
        } finally {
          this.begin()
        }
      }),
    )
  }
}

type Work = (tx: Tx) => unknown

const tallyOf = Symbol('tally')

/** The transaction itself says in which request it counts: a wrapper would be another object. */
type Counted = Tx & { [tallyOf]?: StatementTally }

function countIn(tx: Counted, tally: StatementTally): void {
  tx[tallyOf] = tally
}

/** Counts a query of a transaction, if the transaction belongs to a request that counts its statements. */
export function countQuery<Query>(tx: Tx, query: Query): Query {
  return (tx as Counted)[tallyOf]?.watched(query) ?? query
}
