import type { ISql, Tx } from '../driver/db.js'
import { flagBit } from '../messages/message-flags.js'
import type { Parts } from '../organization/outbox.js'
import { heldPlaces, type Places } from './held-places.js'

/**
 * Parts of `storeWithEvents` that set a flag on messages, if they are where the caller saw them.
 * @param historical ids that the user never received
 */
export function flagParts(
  sql: ISql,
  userId: number,
  places: Places,
  { bit, historical }: { readonly bit: number; readonly historical: readonly number[] },
): Parts {
  return sql`
    ${heldPlaces(sql, userId, places)},
    flagged as (
      insert into message_flags (user_id, message_id, flags)
      select ${userId}, id,
        ${bit}::int | case when id = any(${historical as number[]}::bigint[]) then ${flagBit.historical}::int else 0 end
      from found, checked order by id
      on conflict (user_id, message_id) do update set flags = message_flags.flags | excluded.flags
      returning message_id
    ), done as (select count(*) as messages from flagged having count(*) > 0)`
}

/** Those of the messages that have the user's flag, ascending. */
export async function flaggedAmong(sql: ISql, userId: number, bit: number, ids: readonly number[]): Promise<number[]> {
  const rows = await sql<{ message_id: number }[]>`
    select message_id from message_flags
    where user_id = ${userId} and message_id = any(${ids as number[]}::bigint[]) and flags & ${bit}::int <> 0
    order by message_id`
  return rows.map(row => row.message_id)
}

/** Parts of `storeWithEvents` that remove a flag, if all of the messages have it. Deletes rows without flags. */
export function unflagParts(sql: ISql, userId: number, bit: number, ids: readonly number[]): Parts {
  const rest = sql`held.flags & ~${bit | flagBit.historical}::int`
  return sql`
    held as materialized (
      select message_id, flags from message_flags
      where user_id = ${userId} and message_id = any(${ids as number[]}::bigint[]) and flags & ${bit}::int <> 0
      order by message_id for update
    ), checked as materialized (
      select 1 from held having count(*) = ${ids.length}
    ), emptied as (
      delete from message_flags f using held, checked
      where f.user_id = ${userId} and f.message_id = held.message_id and ${rest} = 0
      returning f.message_id
    ), cleared as (
      update message_flags f set flags = f.flags & ~${bit}::int from held, checked
      where f.user_id = ${userId} and f.message_id = held.message_id and ${rest} <> 0
      returning f.message_id
    ), done as (
      select count(*) as messages from (select from emptied union all select from cleared) changed having count(*) > 0
    )`
}

/** Locks the user's flags on messages until the transaction ends. */
export async function holdFlags(tx: Tx, userId: number, ids: readonly number[]): Promise<void> {
  await tx`
    select from message_flags where user_id = ${userId} and message_id = any(${ids as number[]}::bigint[])
    order by message_id for update`
}

/** Users who lose access to these messages. */
interface Loss {
  readonly userIds: readonly number[]
  readonly messageIds: readonly number[]
}

/** Deletes the users' flags on messages that they lost, as if the messages had been deleted. */
export async function forgetFlags(tx: Tx, losses: readonly Loss[]): Promise<void> {
  const pairs = (ids: (loss: Loss) => readonly number[]) => losses.flatMap((loss, i) => ids(loss).map(id => [i, id]))
  const users = pairs(loss => loss.userIds)
  const messages = pairs(loss => loss.messageIds)
  await tx`
    delete from message_flags f
    using unnest(${users.map(([i]) => i as number)}::int[], ${users.map(([, id]) => id as number)}::int[]) as lost (loss, user_id)
      join unnest(${messages.map(([i]) => i as number)}::int[], ${messages.map(([, id]) => id as number)}::bigint[])
        as message (loss, id) using (loss)
    where f.user_id = lost.user_id and f.message_id = message.id`
}
