import type { Tx } from './db.js'

/** The user's row stands for all that belongs to it: who counts or compares that before adding to it holds the row. */
export async function lockUser(tx: Tx, userId: number): Promise<void> {
  await tx`select id from users where id = ${userId} for no key update`
}
