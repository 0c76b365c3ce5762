import type { ISql, Sql } from '../driver/db.js'
import { moveUp } from './jobs.js'

/** A job as `npm run admin -- job list` shows it. */
export interface ListedJob {
  readonly id: number
  readonly kind: string
  readonly key: string | null
  readonly state: 'due' | 'behind' | 'dead'
  readonly due: Date
  readonly created: Date
  readonly attempts: number
  readonly error: string | null
  readonly is_periodic: boolean
  readonly payload: unknown
}

interface JobFilter {
  readonly kind?: string
  readonly state?: ListedJob['state']
}

const matches = (sql: ISql, { kind = '', state }: JobFilter) => sql`
  ${kind} in ('', kind) and ${state ?? ''} in ('', state)`

/** Jobs, oldest first, and how many match. */
export async function listJobs(
  sql: ISql,
  filter: JobFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ total: number; jobs: ListedJob[] }> {
  const [row] = await sql<[{ total: number }]>`select count(*)::int as total from jobs where ${matches(sql, filter)}`
  const jobs = await sql<ListedJob[]>`
    select id, kind, key, state, due, created, attempts, error, is_periodic, payload from jobs
    where ${matches(sql, filter)} order by id limit ${limit} offset ${offset}`
  return { total: row.total, jobs: [...jobs] }
}

/** One job. */
export async function findJob(sql: ISql, id: number): Promise<ListedJob | undefined> {
  const [job] = await sql<ListedJob[]>`
    select id, kind, key, state, due, created, attempts, error, is_periodic, payload from jobs where id = ${id}`
  return job
}

/** Lets dead jobs run again with all their attempts, those with a key in their turn. Returns the ids of those that were dead. */
export async function repeatJobs(sql: Sql, ids: readonly number[]): Promise<number[]> {
  const rows = await sql<{ id: number; key: string | null }[]>`
    update jobs set attempts = 0, due = now(), state = case when key is null then 'due' else 'behind' end
    where id = any(${ids as number[]}::bigint[]) and state = 'dead' returning id, key`
  const keys = rows.flatMap(({ key }) => key ?? [])
  if (keys.length > 0) await moveUp(sql, keys)
  return rows.map(row => row.id)
}

/** Deletes jobs that no worker shall run any more; periodic ones stay. Returns the deleted ones. */
export async function discardJobs(sql: ISql, ids: readonly number[]): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    delete from jobs where id = any(${ids as number[]}::bigint[]) and not is_periodic returning id`
  return rows.map(row => row.id)
}

/** Ids of all dead jobs, or those of one kind. */
export async function deadJobs(sql: ISql, kind?: string): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select id from jobs where ${matches(sql, { state: 'dead', ...(kind === undefined ? {} : { kind }) })} order by id`
  return rows.map(row => row.id)
}

/** The state of the newest job of a key; undefined: there is none. */
export async function jobState(sql: ISql, kind: string, key: string): Promise<string | undefined> {
  const [row] = await sql<{ state: string }[]>`
    select state from jobs where kind = ${kind} and key = ${key} order by id desc limit 1`
  return row?.state
}
