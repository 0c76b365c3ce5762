import type { Sql, Tx } from '../../server/store/driver/db.js'

/** The processes of PostgreSQL that wait for a lock in the test's database. */
async function waiting(sql: Sql): Promise<number[]> {
  const rows = await sql<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return rows.map(row => row.pid)
}

interface Race<T> {
  /** What the transaction does before the request begins; it takes the lock for which the request will wait. */
  readonly first: (tx: Tx) => Promise<unknown>
  readonly request: () => Promise<T>
  /** What the transaction does while the request waits. */
  readonly meanwhile?: (tx: Tx, waiting: readonly number[]) => Promise<unknown>
}

/** Answers of a request whose statement waits for a lock until another transaction has committed its change. */
export async function overtaken<T>({ sql }: { readonly sql: Sql }, { first, request, meanwhile }: Race<T>): Promise<T> {
  let answer: Promise<T> | undefined
  await sql.begin(async tx => {
    await first(tx)
    const asked = request()
    // A failure is reported to the caller, who awaits it later.
    asked.catch(() => {})
    answer = asked
    let pids: number[] = []
    while (pids.length === 0) {
      pids = await waiting(sql)
      if (pids.length === 0) await new Promise(resolve => setTimeout(resolve, 5))
    }
    await meanwhile?.(tx, pids)
  })
  return answer as Promise<T>
}
