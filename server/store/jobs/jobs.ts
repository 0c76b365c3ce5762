import type { ISql, Sql, Tx } from '../driver/db.js'

/** A job to insert. */
export interface NewJob {
  readonly kind: string
  readonly payload: object
  /** Jobs with this key run one after the other, also those of other kinds. */
  readonly key?: string
  /** By the clock of the database; absent: now. */
  readonly at?: Date
}

/** One claim of a job: it ends with the claim's number, so a worker whose claim has run out cannot end the next one. */
export interface Claim {
  readonly id: number
  readonly attempts: number
}

export interface ClaimedJob extends Claim {
  readonly kind: string
  readonly key: string | null
  readonly payload: unknown
}

/**
 * Seconds after its last sign of life from which another worker may claim the jobs of a dead one. A worker that runs a job gives a sign every
 * third of this time.
 */
export const leaseSeconds = 15

const lease = (sql: ISql) => sql`now() + make_interval(secs => ${leaseSeconds})`

/**
 * The part `jobs_added` of the last statement of a transaction: inserts jobs and returns their ids, which ascend in the order of `jobs`. Those
 * with a key wait for `moveUp`.
 */
export const jobsPart = (tx: Tx, jobs: readonly NewJob[]) => tx`jobs_added as (
  insert into jobs (kind, key, payload, state, due)
  select kind, key, payload, case when key is null then 'due' else 'behind' end, coalesce(due, now())
  from rows from (json_to_recordset(
      ${JSON.stringify(jobs.map(({ kind, key, payload, at }) => ({ kind, key, payload, due: at })))}::text::json
    ) as (kind text, key text, payload json, due timestamptz))
    with ordinality as given (kind, key, payload, due, position)
  order by position
  returning id
)`

/** Adds the row of each kind with a schedule. An earlier time than that of the row wins, because the schedule may have changed. */
export async function addPeriodicJobs(sql: ISql, first: readonly { kind: string; at: Date }[]): Promise<void> {
  await sql`
    insert into jobs (kind, payload, due, is_periodic)
    select kind, '{}', at, true from json_to_recordset(${JSON.stringify(first)}::text::json) as given (kind text, at timestamptz)
    on conflict (kind) where is_periodic do update set due = excluded.due where jobs.due > excluded.due and jobs.attempts = 0`
}

const given = (sql: ISql, claims: readonly Claim[]) => sql`
  unnest(${claims.map(claim => claim.id)}::bigint[], ${claims.map(claim => claim.attempts)}::int[]) as given (id, attempts)`

const free = (sql: ISql, places: ReadonlyMap<string, number>) => sql`
  unnest(${[...places.keys()]}::text[], ${[...places.values()]}::int[]) as free (kind, places)`

/**
 * Deletes done jobs, and claims due ones, for each kind at most as many as `places` says, those first that have been due for longest. Leaves
 * claims that are no longer the present ones.
 */
export function claimJobs(
  sql: ISql,
  done: readonly Claim[],
  places: ReadonlyMap<string, number>,
): Promise<ClaimedJob[]> {
  // Materialized: a subquery with `limit` may otherwise run several times, and claim more.
  return sql<ClaimedJob[]>`
    with done as (
      delete from jobs using ${given(sql, done)} where jobs.id = given.id and jobs.attempts = given.attempts
    ), claimed as materialized (
      select next.id from ${free(sql, places)} cross join lateral (
        select id from jobs where kind = free.kind and state = 'due' and due <= now()
        order by due limit free.places for update skip locked
      ) next
    )
    update jobs set due = ${lease(sql)}, attempts = attempts + 1 from claimed where jobs.id = claimed.id
    returning jobs.id, kind, key, payload, attempts`
}

/** Ends a job in the transaction of its work. False: another worker has it, so the transaction must not commit. */
export async function endInside(tx: Tx, { id, attempts }: Claim): Promise<boolean> {
  const { count } = await tx`delete from jobs where id = ${id} and attempts = ${attempts}`
  return count > 0
}

/** Removes jobs of these keys that no worker has ended, and returns how many. One that runs at this moment still takes effect. */
export async function cancelJobs(tx: Tx, keys: readonly string[]): Promise<number> {
  const { count } =
    await tx`delete from jobs where key = any(${keys as string[]}::text[]) and state in ('due', 'behind')`
  return count
}

/** Whether a job of the key is left, as the transaction sees it. */
export async function hasJob(tx: Tx, key: string): Promise<boolean> {
  const [row] = await tx`select from jobs where key = ${key} and state in ('due', 'behind') limit 1`
  return row !== undefined
}

/** The worker still runs these jobs. */
export async function renewClaims(sql: ISql, claims: readonly Claim[]): Promise<void> {
  await sql`
    update jobs set due = ${lease(sql)} from ${given(sql, claims)}
    where jobs.id = given.id and jobs.attempts = given.attempts`
}

/** How a job that is not done goes on. */
export interface Repetition {
  readonly inMs: number
  /** Counts in place of `inMs`. */
  readonly at?: Date
  /** Attempts that count. */
  readonly attempts: number
  readonly error?: string
  /** No worker tries again. */
  readonly isDead?: boolean
}

/** Gives a claimed job back, for another attempt or for the list of dead ones. */
export async function repeatJob(sql: ISql, { id, attempts }: Claim, next: Repetition): Promise<void> {
  await sql`
    update jobs set attempts = ${next.attempts}, error = ${next.error ?? null}, state = ${next.isDead ? 'dead' : 'due'},
      due = coalesce(${next.at ?? null}::timestamptz, now() + make_interval(secs => ${next.inMs / 1000}))
    where id = ${id} and attempts = ${attempts}`
}

/** Milliseconds until the next job of these kinds is due, a lease runs out included; Infinity: there is none. */
export async function untilNextDue(sql: ISql, kinds: readonly string[]): Promise<number> {
  const [row] = await sql<{ ms: number | null }[]>`
    select extract(epoch from min(next.due) - now())::float8 * 1000 as ms
    from unnest(${kinds as string[]}::text[]) as wanted (kind)
    cross join lateral (
      select due from jobs where kind = wanted.kind and state = 'due' order by due limit 1
    ) next`
  return row?.ms ?? Number.POSITIVE_INFINITY
}

// Each conflict means that another worker has made a job of one of the keys due.
const mostConflicts = 20

/**
 * Makes the first job of each key due, unless one of the key is, and claims those for which `places` says that no earlier one waits for a place.
 * Not in a transaction, and not in the statement that deletes the job before: of a statement that adds a job and one that ends the one before,
 * the later has to see both. Two workers of which one does not see all jobs may take different jobs for the first; then the unique index
 * `jobs_head` refuses the second, which looks again.
 */
export async function moveUp(
  sql: Sql,
  keys: readonly string[],
  places: ReadonlyMap<string, number> = new Map(),
): Promise<(ClaimedJob & { readonly is_claimed: boolean })[]> {
  for (let conflicts = 0; ; conflicts++) {
    try {
      return await sql<(ClaimedJob & { is_claimed: boolean })[]>`
        with first as materialized (
          select next.id, next.due <= now() and row_number() over (partition by next.kind order by next.id) <= coalesce(places, 0) as is_claimed
          from (select distinct unnest(${keys as string[]}::text[]) as key order by key) wanted
          cross join lateral (
            select id, kind, due from jobs where key = wanted.key and state = 'behind' order by id limit 1
          ) next
          left join ${free(sql, places)} using (kind)
          where not exists (select from jobs where key = wanted.key and state = 'due')
        )
        update jobs set state = 'due', attempts = attempts + is_claimed::int,
          due = case when is_claimed then ${lease(sql)} else greatest(due, now()) end
        from first where jobs.id = first.id and jobs.state = 'behind'
        returning jobs.id, kind, key, payload, attempts, is_claimed`
    } catch (error) {
      const isConflict = ['23505', '40P01'].includes((error as { code?: string }).code ?? '')
      if (!isConflict || conflicts === mostConflicts) throw error
    }
  }
}

/** Keys whose first job waits although none of the key is due: its worker died before `moveUp`. */
export async function stuckKeys(sql: ISql): Promise<string[]> {
  const rows = await sql<{ key: string }[]>`
    -- One step through the index for each key, however many jobs it has.
    with recursive keys as (
      (select key from jobs where state = 'behind' order by key limit 1)
      union all
      select next.key from keys cross join lateral (
        select key from jobs where state = 'behind' and key > keys.key order by key limit 1
      ) next
    )
    select key from keys where not exists (select from jobs where jobs.key = keys.key and state = 'due')`
  return rows.map(row => row.key)
}
