import type { Tx } from '../driver/db.js'

/** Locks the user's row, which protects everything that belongs to the user: lock it before counting and adding such rows. */
export async function lockUser(tx: Tx, userId: number): Promise<void> {
  await tx`select id from users where id = ${userId} for no key update`
}
