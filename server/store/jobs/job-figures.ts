import type { ISql } from '../driver/db.js'

/** What waits of one kind. */
interface JobFigures {
  readonly kind: string
  /** Due, behind an earlier one of its key, or running. */
  readonly waiting: number
  /** Age in seconds of the job that has been due for longest; 0 without one. */
  readonly oldest: number
  readonly dead: number
}

// Beyond that the count is not exact; a job that is due in the future costs nothing.
const mostCounted = 100_000

/** Counts the jobs that are due and dead; bounded, and by index. */
export async function jobFigures(sql: ISql, kinds: readonly string[]): Promise<JobFigures[]> {
  return await sql<JobFigures[]>`
    select kind, (due.n + behind.n)::int as waiting, coalesce(due.oldest, 0)::float8 as oldest, dead.n::int as dead
    from unnest(${kinds as string[]}::text[]) as wanted (kind)
    cross join lateral (
      select count(*) as n, extract(epoch from now() - min(due)) as oldest
      from (select due from jobs where kind = wanted.kind and state = 'due' and due <= now() order by due limit ${mostCounted}) x
    ) due
    cross join lateral (
      select count(*) as n
      from (select from jobs where kind = wanted.kind and state = 'behind' limit ${mostCounted}) x
    ) behind
    cross join lateral (
      select count(*) as n from (select from jobs where kind = wanted.kind and state = 'dead' limit ${mostCounted}) x
    ) dead`
}
