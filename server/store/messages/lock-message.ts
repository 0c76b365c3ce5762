import type { Tx } from '../driver/db.js'

export interface HeldMessage {
  readonly messageId: number
  /** Further channels to lock. */
  readonly channelIds?: readonly number[]
  /**
   * `share`: for changes that only refer to the message, which several transactions may make at once. `update`: for changes of the message.
   * `place`: for moves and deletions; no message can be inserted into the channel meanwhile.
   */
  readonly lock: 'share' | 'update' | 'place'
}

/**
 * Locks, in the order of locks, the organization's version (`for share`), the channel of a message with further channels, and the message.
 * @returns `is_where_it_was` false: the message moved before it was locked, so another channel is locked
 */
export async function lockMessage(
  tx: Tx,
  { messageId, channelIds = [], lock }: HeldMessage,
): Promise<{ version: number; is_where_it_was: boolean }> {
  const [row] = await tx<{ version: number; is_where_it_was: boolean }[]>`
    with organization_held as materialized (select version from organization for share),
    place as materialized (select channel_id from messages where id = ${messageId}),
    channels_held as materialized (
      select id from channels
      where id in (select channel_id from place union all select unnest(${channelIds as number[]}::int[]))
        and (select version from organization_held) > 0
      order by id ${lock === 'place' ? tx`for no key update` : tx`for share`}
    ),
    message_held as materialized (
      select channel_id from messages where id = ${messageId} and (select count(*) from channels_held) >= 0
      ${lock === 'share' ? tx`for share` : tx`for no key update`}
    )
    select version, not exists (
      select from message_held, place where message_held.channel_id is distinct from place.channel_id
    ) as is_where_it_was
    from organization_held`
  if (!row) throw new Error('the schema has no organization row')
  return row
}
