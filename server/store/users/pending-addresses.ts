import { createHash } from 'node:crypto'
import type { Tx } from '../driver/db.js'

interface PendingAddress {
  user_id: number
  address: string
}

const digestOf = (key: string): Buffer => createHash('sha256').update(key).digest()

/** Replaces an earlier pending address of the user. Stores only the digest of `key`, because a reader of the table could use the key. */
export async function storePendingAddress(
  tx: Tx,
  { user_id, address }: PendingAddress,
  { key, expires }: { key: string; expires: Date },
): Promise<void> {
  await tx`
    insert into pending_addresses (user_id, address, key_hash, expires)
    values (${user_id}, ${address}, ${digestOf(key)}, ${expires})
    on conflict (user_id) do update
      set address = excluded.address, key_hash = excluded.key_hash, expires = excluded.expires`
}

/** Takes the address that the key confirms; a key works once, until it expires. */
export async function takePendingAddress(tx: Tx, key: string, now: Date): Promise<PendingAddress | undefined> {
  const [row] = await tx<PendingAddress[]>`
    delete from pending_addresses where key_hash = ${digestOf(key)} and expires > ${now} returning user_id, address`
  return row
}

/** Invalidates the confirmation link that was mailed to the user. */
export async function dropPendingAddress(tx: Tx, userId: number): Promise<void> {
  await tx`delete from pending_addresses where user_id = ${userId}`
}
