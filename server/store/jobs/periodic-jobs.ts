import type { ISql } from '../driver/db.js'
import type { Claim } from './jobs.js'

/** When a kind with a schedule runs next. */
interface Occurrence {
  readonly kind: string
  readonly at: Date
}

/** Adds the row of each kind with a schedule. An earlier time than that of the row wins, because the schedule may have changed. */
export async function addPeriodicJobs(sql: ISql, occurrences: readonly Occurrence[]): Promise<void> {
  await sql`
    insert into jobs (kind, payload, due, is_periodic)
    select kind, '{}', at, true
    from json_to_recordset(${JSON.stringify(occurrences)}::text::json) as given (kind text, at timestamptz)
    on conflict (kind) where is_periodic do update set due = excluded.due where jobs.due > excluded.due and jobs.attempts = 0`
}

/** The run is over: the next one is at `at`. */
export async function setNextRun(sql: ISql, { id, attempts }: Claim, at: Date): Promise<void> {
  await sql`update jobs set due = ${at}, attempts = 0, error = null where id = ${id} and attempts = ${attempts}`
}
