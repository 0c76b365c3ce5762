import type { ISql, Tx } from '../driver/db.js'

/** A message of which a user gets a mail. */
export interface MissedMessage {
  readonly userId: number
  readonly messageId: number
  readonly reason: string
}

/**
 * Stores messages of which users get a mail, unless they had one of the message. Returns the users of which none waited: the caller adds
 * the jobs of their mails. The mail of a user deletes the row of `missed_mails` first, so an insert waits for the end of a mail that does not see
 * its message.
 */
export async function addMissed(tx: Tx, missed: readonly MissedMessage[], now: Date): Promise<number[]> {
  if (missed.length === 0) return []
  const added = await tx<{ user_id: number }[]>`
    insert into missed_messages (user_id, message_id, reason)
    select * from unnest(${missed.map(one => one.userId)}::int[], ${missed.map(one => one.messageId)}::bigint[],
      ${missed.map(one => one.reason)}::text[])
    on conflict do nothing returning user_id`
  const userIds = [...new Set(added.map(row => row.user_id))].sort((a, b) => a - b)
  if (userIds.length === 0) return []
  const begun = await tx<{ user_id: number }[]>`
    insert into missed_mails (user_id, since) select unnest(${userIds}::int[]), ${now}
    on conflict do nothing returning user_id`
  return begun.map(row => row.user_id)
}

/** The messages that wait for the mail of a user, ascending; they count as handled from now on. */
export async function takeMissed(tx: Tx, userId: number): Promise<{ message_id: number; reason: string }[]> {
  await tx`delete from missed_mails where user_id = ${userId}`
  return tx<{ message_id: number; reason: string }[]>`
    with taken as (
      update missed_messages set handled = now() where user_id = ${userId} and handled is null returning message_id, reason
    )
    select message_id, reason from taken order by message_id`
}

/** When the batching period of the user's next mail began; undefined: none waits. Locks that until the transaction ends. */
export async function holdMissedMail(tx: Tx, userId: number): Promise<Date | undefined> {
  const [row] = await tx<{ since: Date }[]>`select since from missed_mails where user_id = ${userId} for update`
  return row?.since
}

/** Forgets messages that were handled before `before`; returns how many, `limit` at most. */
export async function pruneMissed(sql: ISql, before: Date, limit: number): Promise<number> {
  const { count } = await sql`
    delete from missed_messages where (user_id, message_id) in (
      select user_id, message_id from missed_messages where handled < ${before} order by handled limit ${limit}
    )`
  return count
}
