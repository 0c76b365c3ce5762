import { createHash } from 'node:crypto'
import type { ISql, Tx } from '../driver/db.js'

/** Minutes for which a repeated request is recognized, by the clock of the database. */
export const keyLifetimeMinutes = 10

// Keys that one statement deletes at most.
const batch = 5000

/** The key of a request that creates something. It is stored in the transaction of what the request creates. */
export interface RequestKey {
  /** See `idempotencyKey`. */
  readonly key: string
  /** Digest of the operation and its parameters. Undefined: the rest of a repeated request does not count. */
  readonly fingerprint?: string
  /** JSON text of the fields of the answer. Undefined: `storeAnswer` stores it, or the id of a message is the answer. */
  readonly answer?: string
}

/** What the first request with a key stored. */
export interface StoredRequest {
  readonly fingerprint: string | null
  /** JSON text of the fields of the answer; null: it was too long to be stored. */
  readonly answer: string | null
}

/** A digest as text of a uuid, in the form that PostgreSQL returns: the texts of a client may be longer than an index entry. */
export function digestOf(value: unknown): string {
  const hex = createHash('sha256').update(JSON.stringify(value)).digest('hex')
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** The stored form of a key. `names`: how the client names the request: its `Idempotency-Key`, or queue and local id of a message. */
export const idempotencyKey = (userId: number, ...names: readonly string[]): string => digestOf([userId, ...names])

/** Keys from before this time do not count. */
const oldest = (sql: ISql) => sql`now() - make_interval(mins => ${keyLifetimeMinutes})`

/**
 * Stores the key of a request whose transaction inserts no message. Waits for the end of another transaction with this key: the race rests
 * on the primary key. False: an earlier request has the key.
 */
export async function claimKey(tx: Tx, { key, fingerprint = undefined }: RequestKey): Promise<boolean> {
  const { count } = await tx`
    insert into idempotency_keys as earlier (key, message_id, fingerprint) values (${key}, 0, ${fingerprint ?? null})
    on conflict (key) do update
      set message_id = 0, fingerprint = excluded.fingerprint, answer = null, created = excluded.created
      where earlier.created <= ${oldest(tx)}`
  return count === 1
}

/** Stores the answer of the request that has stored this key. */
export async function storeAnswer(sql: ISql, key: string, answer: string | null): Promise<void> {
  await sql`update idempotency_keys set answer = ${answer} where key = ${key}`
}

/** What was stored with this key during its lifetime. */
export async function storedRequest(sql: ISql, key: string): Promise<StoredRequest | undefined> {
  const [row] = await sql<(StoredRequest & { message_id: number })[]>`
    select fingerprint, answer, message_id from idempotency_keys where key = ${key} and created > ${oldest(sql)}`
  if (!row) return undefined
  const { fingerprint, answer, message_id: id } = row
  return { fingerprint, answer: answer === null && id > 0 ? JSON.stringify({ id }) : answer }
}

/** The message that was stored with this key during its lifetime. */
export async function messageOfKey(sql: ISql, key: string): Promise<number | undefined> {
  const [row] = await sql<{ message_id: number }[]>`
    select message_id from idempotency_keys where key = ${key} and created > ${oldest(sql)}`
  return row?.message_id
}

/**
 * Deletes a batch of expired keys. The insert of messages compares the age itself, so a key does not count longer than its lifetime. Skips rows that another worker is deleting. Returns the number of deleted rows.
 */
export async function pruneIdempotencyKeys(sql: ISql): Promise<number> {
  const { count } = await sql`
    delete from idempotency_keys where key in (
      select key from idempotency_keys where created <= ${oldest(sql)} limit ${batch} for update skip locked)`
  return count
}
