import type { Tx } from '../driver/db.js'
import { flagBit } from '../messages/message-flags.js'

/** Sets a flag on messages that still exist; returns those that did not have it. `historical`: ids that the user never received. */
export async function addFlag(
  tx: Tx,
  userId: number,
  {
    bit,
    ids,
    historical,
  }: { readonly bit: number; readonly ids: readonly number[]; readonly historical: readonly number[] },
): Promise<number[]> {
  const rows = await tx<{ message_id: number }[]>`
    insert into message_flags (user_id, message_id, flags)
    select ${userId}, id,
      ${bit}::int | case when id = any(${historical as number[]}::bigint[]) then ${flagBit.historical}::int else 0 end
    from messages where id = any(${ids as number[]}::bigint[]) order by id for key share
    on conflict (user_id, message_id) do update set flags = message_flags.flags | excluded.flags
      where message_flags.flags & ${bit}::int = 0
    returning message_id`
  return rows.map(row => row.message_id).sort((a, b) => a - b)
}

/** Removes a flag; returns the messages that had it. Deletes rows without flags. */
export async function removeFlag(tx: Tx, userId: number, bit: number, ids: readonly number[]): Promise<number[]> {
  const rows = await tx<{ message_id: number }[]>`
    with emptied as (
      delete from message_flags
      where user_id = ${userId} and message_id = any(${ids as number[]}::bigint[]) and flags & ${bit}::int <> 0
        and flags & ~${bit | flagBit.historical}::int = 0
      returning message_id
    ), cleared as (
      update message_flags set flags = flags & ~${bit}::int
      where user_id = ${userId} and message_id = any(${ids as number[]}::bigint[]) and flags & ${bit}::int <> 0
        and flags & ~${bit | flagBit.historical}::int <> 0
      returning message_id
    )
    select message_id from emptied union all select message_id from cleared order by 1`
  return rows.map(row => row.message_id)
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
