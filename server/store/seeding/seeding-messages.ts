import type { Tx } from '../driver/db.js'
import { noteListChange } from '../driver/directory-lease.js'
import { skipToNewest } from '../notify/progress.js'

// Types of elements, stated because postgres.js infers a wrong array type for them.
const type = { boolean: 16, timestamptz: 1184 }

/** A message of a generated history; it has no event. */
export interface SeededMessage {
  readonly sender_id: number
  readonly channel_id: number | null
  readonly conversation_id: number | null
  readonly topic: string
  readonly content: string
  readonly rendered_content: string
  readonly renderer_version: number
  readonly date_sent: Date
  readonly read_by_sender: boolean
  readonly has_link: boolean
  readonly wildcard_mentions: number
  readonly flags: readonly { readonly userId: number; readonly flags: number }[]
  readonly reactions: readonly { readonly userId: number; readonly code: string; readonly name: string }[]
}

/**
 * Stores messages with flags and reactions in three statements; ids ascend in the order of `messages`. `search`: their words, as the text of
 * a `tsvector`.
 */
export async function insertSeededMessages(
  tx: Tx,
  messages: readonly (SeededMessage & { readonly search: string })[],
): Promise<number[]> {
  const column = <Value>(value: (message: (typeof messages)[number]) => Value): Value[] => messages.map(value)
  const rows = await tx<{ id: number }[]>`
    insert into messages (sender_id, channel_id, conversation_id, topic, content, rendered_content, renderer_version,
      date_sent, client, read_by_sender, has_link, wildcard_mentions, id, search)
    overriding system value
    select sender_id, channel_id, conversation_id, topic, content, rendered, renderer, sent, 'website', read_by_sender,
      has_link, wildcards, id, search::tsvector || search_marks(id, has_link, false, false)
    from (select *, nextval('messages_id_seq') as id from unnest(${column(m => m.sender_id)}::int[], ${column(m => m.channel_id)}::int[],
      ${column(m => m.conversation_id)}::int[], ${column(m => m.topic)}::text[], ${column(m => m.content)}::text[],
      ${column(m => m.rendered_content)}::text[], ${column(m => m.renderer_version)}::int[],
      ${tx.array(
        column(m => m.date_sent),
        type.timestamptz,
      )}::timestamptz[], ${tx.array(
        column(m => m.read_by_sender),
        type.boolean,
      )}::boolean[],
      ${tx.array(
        column(m => m.has_link),
        type.boolean,
      )}::boolean[], ${column(m => m.wildcard_mentions)}::int[], ${column(m => m.search)}::text[])
      with ordinality as given (sender_id, channel_id, conversation_id, topic, content, rendered, renderer, sent,
        read_by_sender, has_link, wildcards, search, place) order by place) given
    returning id`
  const ids = rows.map(row => row.id)
  const flags = messages.flatMap((message, i) => message.flags.map(flag => ({ id: ids[i] as number, ...flag })))
  const reactions = messages.flatMap((message, i) => message.reactions.map(one => ({ id: ids[i] as number, ...one })))
  await tx`
    insert into message_flags (user_id, message_id, flags)
    select * from unnest(${flags.map(f => f.userId)}::int[], ${flags.map(f => f.id)}::bigint[], ${flags.map(f => f.flags)}::int[])`
  await tx`
    insert into reactions (message_id, user_id, reaction_type, emoji_code, emoji_name)
    select message_id, user_id, 'unicode_emoji', code, name
    from unnest(${reactions.map(r => r.id)}::bigint[], ${reactions.map(r => r.userId)}::int[],
      ${reactions.map(r => r.code)}::text[], ${reactions.map(r => r.name)}::text[]) as given (message_id, user_id, code, name)`
  return ids
}

/** A user's read state: everything up to a message, except the ids from `gapFrom` up to, not including, `gapTo`. */
export interface SeededReading {
  readonly userId: number
  readonly upTo: number
  readonly gapFrom: number
  readonly gapTo: number
}

export async function insertSeededReading(tx: Tx, readings: readonly SeededReading[]): Promise<void> {
  const column = (value: (reading: SeededReading) => number): number[] => readings.map(value)
  await tx`
    insert into read_state (user_id, block, ranges)
    select user_id, block, ranges from (
      select user_id, block::int as block,
        int8multirange(int8range(block << 16, least((block + 1) << 16, up_to + 1)))
          - int8multirange(int8range(gap_from, gap_to)) as ranges
      from unnest(${column(r => r.userId)}::int[], ${column(r => r.upTo)}::bigint[], ${column(r => r.gapFrom)}::bigint[],
        ${column(r => r.gapTo)}::bigint[]) as given (user_id, up_to, gap_from, gap_to)
        cross join lateral generate_series((select coalesce(min(id), 0) >> 16 from messages), up_to >> 16) as block
    ) read
    where not isempty(ranges)`
}

/**
 * Stores the first messages of the channels, makes the next traffic count run at once, and makes workers read the channels' messages again. The
 * messages notify no user.
 */
export async function noteSeededChannels(tx: Tx, channelIds: readonly number[]): Promise<void> {
  noteListChange(tx)
  await skipToNewest(tx)
  await tx`
    update channels set first_message_id = first.id
    from (
      select channel_id, min(id) as id from messages where channel_id = any(${channelIds as number[]}::int[]) group by channel_id
    ) first
    where channels.id = first.channel_id`
  await tx`update channel_traffic_counted set at = '-infinity'`
  await tx`select channels_changed(${channelIds as number[]}::int[])`
}
