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
  const begun = await tx<{ user_id: number }[]>`
    with added as (
      insert into missed_messages (user_id, message_id, reason)
      select * from unnest(${missed.map(one => one.userId)}::int[], ${missed.map(one => one.messageId)}::bigint[],
        ${missed.map(one => one.reason)}::text[])
      on conflict do nothing returning user_id
    )
    insert into missed_mails (user_id, since) select distinct user_id, ${now}::timestamptz from added order by user_id
    on conflict do nothing returning user_id -- who is notified`
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

/** When the batching periods of the users' next mails began, only of those with messages that wait. Locks that until the transaction ends. */
export function holdMissedMails(tx: Tx, userIds: readonly number[]): Promise<{ user_id: number; since: Date }[]> {
  return tx<{ user_id: number; since: Date }[]>`
    select user_id, since from missed_mails where user_id = any(${userIds as number[]}::int[]) order by user_id for update`
}

/** As `holdMissedMails`, of the users with no job that will write their mail. `keyPrefix`: the key of such a job is this and the user's id. */
export function holdMissedMailsWithoutJob(tx: Tx, keyPrefix: string): Promise<{ user_id: number; since: Date }[]> {
  return tx<{ user_id: number; since: Date }[]>`
    select user_id, since from missed_mails
    where not exists (select from jobs where key = ${keyPrefix} || user_id and state = 'due')
      and not exists (select from jobs where key = ${keyPrefix} || user_id and state = 'behind')
    order by user_id for update`
}

/** Forgets messages that were handled before `before`; returns how many, `limit` at most. */
export async function pruneMissed(sql: ISql, before: Date, limit: number): Promise<number> {
  const { count } = await sql`
    delete from missed_messages where (user_id, message_id) in (
      select user_id, message_id from missed_messages where handled < ${before} order by handled limit ${limit}
    )`
  return count
}
