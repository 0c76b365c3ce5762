import { createHash } from 'node:crypto'
import type { Log } from '../../log.js'
import type { ISql, Sql, Tx } from '../driver/db.js'

/** Minutes for which a repeated send is recognized, by the clock of the database. */
export const keyLifetimeMinutes = 10

// Interval of the deletion. The insert of messages compares the age itself, so a key does not count longer than its lifetime.
const intervalMs = 60_000
// Keys that one statement deletes at most.
const batch = 5000

/** The key of a send, as text of a uuid: a digest, because the texts of the client may be longer than an index entry. */
export function idempotencyKey(senderId: number, { queueId, localId }: { queueId: string; localId: string }): string {
  return createHash('sha256')
    .update(JSON.stringify([senderId, queueId, localId]))
    .digest('hex')
    .slice(0, 32)
}

/** Whether the caller is the first with this key during its lifetime, once the transaction commits. */
export async function claimKey(tx: Tx, key: string): Promise<boolean> {
  const { count } = await tx`insert into idempotency_keys (key, message_id) values (${key}, 0) on conflict do nothing`
  return count === 1
}

/** The message that was stored with this key during its lifetime. */
export async function messageOfKey(sql: ISql, key: string): Promise<number | undefined> {
  const [row] = await sql<{ message_id: number }[]>`
    select message_id from idempotency_keys
    where key = ${key} and created > now() - make_interval(mins => ${keyLifetimeMinutes})`
  return row?.message_id
}

/** Deletes keys after their lifetime, in batches. Returns a function that stops it. */
export function startIdempotencyKeyPruning(sql: Sql, log: Log): () => void {
  const timer = setInterval(async () => {
    try {
      while ((await pruneIdempotencyKeys(sql)) > 0);
    } catch (error) {
      // The next interval retries.
      log.debug({ error: String(error) }, 'idempotency keys were not deleted')
    }
  }, intervalMs)
  return () => clearInterval(timer)
}

/** Deletes a batch of expired keys; skips rows that another worker is deleting. Returns the number of deleted rows. */
export async function pruneIdempotencyKeys(sql: ISql): Promise<number> {
  const { count } = await sql`
    delete from idempotency_keys where key in (
      select key from idempotency_keys where created <= now() - make_interval(mins => ${keyLifetimeMinutes})
      limit ${batch} for update skip locked)`
  return count
}
