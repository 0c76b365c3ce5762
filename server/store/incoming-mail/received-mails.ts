import { createHash } from 'node:crypto'
import type { ISql, Tx } from '../driver/db.js'

// Mail servers try for some five days to deliver a mail.
const keptDays = 14

/** Names a mail at one address: a mail that is sent again has the same name. */
export const receivedKey = (token: string, messageId: string): Buffer =>
  createHash('sha256').update(`${token}\n${messageId}`).digest()

export async function wasReceived(sql: ISql, key: Buffer): Promise<boolean> {
  const rows = await sql`select from received_mails where key = ${key}`
  return rows.length > 0
}

/** Waits for another transaction that receives the same mail. False: it was received before. */
export async function noteReceived(tx: Tx, key: Buffer): Promise<boolean> {
  const { count } = await tx`insert into received_mails (key) values (${key}) on conflict (key) do nothing`
  return count === 1
}

export async function pruneReceived(sql: ISql): Promise<void> {
  await sql`delete from received_mails where received < now() - make_interval(days => ${keptDays})`
}
