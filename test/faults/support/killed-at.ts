import type { TestOrganization } from '../../support/server.js'
import { eventually } from './wait.js'

/** Kills a worker while `work`, a request to it, waits to insert into the table. Resolves when the transaction has ended. */
export async function killedAt(
  { sql }: TestOrganization,
  worker: { kill(): Promise<void> },
  table: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const holder = await sql.reserve()
  await holder.unsafe(`begin; lock table ${table} in share mode`)
  const done = work().catch(() => 'the worker ended')
  const waits = async () =>
    (await holder`select from pg_locks where relation = ${table}::regclass and not granted`).length > 0
  await eventually('the insert waits', waits)
  await worker.kill()
  await holder`commit`
  holder.release()
  await done
  await eventually('its transaction has ended', async () => {
    const rows = await sql`select from pg_locks where relation = ${table}::regclass and mode = 'RowExclusiveLock'`
    return rows.length === 0
  })
}
