import type { ISql, Tx } from '../driver/db.js'

/** What a notification shows of a message. */
export interface PushedMessage {
  readonly id: number
  readonly sender_id: number
  readonly channel_id: number | null
  readonly topic: string
  /** All participants of a direct conversation; null in a channel. */
  readonly user_ids: number[] | null
  readonly rendered_content: string
  readonly date_sent: Date
  readonly is_edited: boolean
}

/** Undefined: it was deleted. */
export async function pushedMessage(sql: ISql, id: number): Promise<PushedMessage | undefined> {
  const [row] = await sql<PushedMessage[]>`
    select m.id, sender_id, channel_id, topic, user_ids, rendered_content, date_sent,
      last_edit_time is not null as is_edited
    from messages m left join conversations c on c.id = m.conversation_id where m.id = ${id}`
  return row
}

/** Whether the user of the row `p` has read its message. It was unread when it was pushed, so only the read state says so. */
const isRead = (sql: ISql) => sql`exists (
  select from read_state r where r.user_id = p.user_id and r.block = (p.message_id >> 16)::int and p.message_id <@ r.ranges
)`

/** Notes that devices of the users will show messages. */
export async function notePushed(
  tx: Tx,
  pushed: readonly { readonly userId: number; readonly messageId: number }[],
): Promise<void> {
  await tx`
    insert into pushed_messages (user_id, message_id)
    select * from unnest(${pushed.map(one => one.userId)}::int[], ${pushed.map(one => one.messageId)}::bigint[])
    on conflict do nothing`
}

/** Those of the users whose devices are to show the message: they have not read it. */
export async function stillPushed(sql: ISql, messageId: number, userIds: readonly number[]): Promise<Set<number>> {
  const rows = await sql<{ user_id: number }[]>`
    select user_id from pushed_messages p
    where message_id = ${messageId} and user_id = any(${userIds as number[]}::int[]) and not ${isRead(sql)}`
  return new Set(rows.map(row => row.user_id))
}

interface Withdrawn {
  readonly user_id: number
  readonly message_id: number
}

/** Where to look for pushed messages that are read or gone: `messages` of users, absent: all of theirs; or what was deleted since a time. */
export type Pushed =
  | { readonly users: readonly number[]; readonly messages?: readonly number[] }
  | { readonly deletedSince: Date }

/** Removes and returns pushed messages that are read by now, or were deleted. */
export function takeWithdrawn(tx: Tx, where: Pushed, most: number): Promise<Withdrawn[]> {
  const chosen =
    'users' in where
      ? tx`p.user_id = any(${where.users as number[]}::int[])`
      : tx`p.message_id in (select id from archived_messages where archived > ${where.deletedSince}::timestamptz)`
  const named =
    'users' in where && where.messages ? tx`and p.message_id = any(${where.messages as number[]}::bigint[])` : tx``
  return tx<Withdrawn[]>`
    with over as materialized (
      select user_id, message_id from pushed_messages p
      where ${chosen} ${named} and (${isRead(tx)} or not exists (select from messages m where m.id = p.message_id))
      limit ${most} for update of p skip locked
    )
    delete from pushed_messages p using over
    where p.user_id = over.user_id and p.message_id = over.message_id returning p.user_id, p.message_id`
}

/** Ids of users above `after` with pushed messages, ascending. */
export async function usersWithPushed(sql: ISql, after: number, most: number): Promise<number[]> {
  const rows = await sql<{ user_id: number }[]>`
    select distinct user_id from pushed_messages where user_id > ${after} order by user_id limit ${most}`
  return rows.map(row => row.user_id)
}

/** Forgets what was pushed so long ago that no push service keeps it any more. @returns whether there may be more */
export async function pruneOldPushed(sql: ISql, before: Date): Promise<boolean> {
  const most = 10_000
  const { count } = await sql`
    delete from pushed_messages p using (
      select user_id, message_id from pushed_messages where pushed < ${before}::timestamptz limit ${most}
    ) old where p.user_id = old.user_id and p.message_id = old.message_id`
  return count === most
}
