import type { ISql, Tx } from '../driver/db.js'
import { flagBit } from '../messages/message-flags.js'

// Types of elements, stated because postgres.js infers a wrong array type for them.
const type = { boolean: 16, timestamptz: 1184 }

/** A message of an archive, as it is stored. */
export interface ImportedMessage {
  readonly id: number
  readonly sender_id: number
  readonly channel_id: number | null
  readonly conversation_id: number | null
  readonly topic: string
  readonly content: string
  readonly rendered_content: string
  readonly renderer_version: number
  readonly date_sent: Date
  readonly last_edit_time: Date | null
  readonly last_move_time: Date | null
  readonly is_me_message: boolean
  readonly has_link: boolean
  readonly has_image: boolean
  readonly wildcard_mentions: number
  /** Its words, as the text of a `tsvector`. */
  readonly search: string
  /** Users by their flags on it. */
  readonly flags: ReadonlyMap<ImportedFlag, readonly number[]>
  /** Users who have not read it. */
  readonly unread: readonly number[]
  /** Its earlier texts and places, the oldest first. */
  readonly edits: readonly ImportedEdit[]
  readonly reactions: readonly ImportedReaction[]
}

export type ImportedFlag = Exclude<keyof typeof flagBit, 'historical'>

export interface ImportedEdit {
  readonly user_id: number | null
  readonly edited_at: Date
  readonly prev_stream: number | null
  readonly stream: number | null
  readonly prev_topic: string | null
  readonly topic: string | null
  readonly prev_content: string | null
  readonly prev_rendered_content: string | null
}

export interface ImportedReaction {
  readonly user_id: number
  readonly type: 'unicode_emoji' | 'realm_emoji' | 'extra_emoji'
  readonly code: string
  readonly name: string
}

/** Stores messages of an earlier time with flags, edits and reactions. They have no event, and notify no user. */
export async function insertImported(tx: Tx, messages: readonly ImportedMessage[]): Promise<void> {
  // `noteProgress` is in the same transaction: a batch that is lost with its commit is written again.
  await tx`set local synchronous_commit = off`
  const column = <Value>(value: (message: ImportedMessage) => Value): Value[] => messages.map(value)
  const flags = (value: (message: ImportedMessage) => boolean) => tx.array(messages.map(value), type.boolean)
  const times = (value: (message: ImportedMessage) => Date | null) => tx.array(messages.map(value), type.timestamptz)
  await tx`
    insert into messages (id, sender_id, channel_id, conversation_id, topic, content, rendered_content, renderer_version,
      date_sent, last_edit_time, last_move_time, client, read_by_sender, is_me_message, has_link, has_image, wildcard_mentions, search)
    overriding system value
    select id, sender_id, channel_id, conversation_id, topic, content, rendered, renderer, sent, edited, moved, 'import', true,
      is_me, has_link, has_image, wildcards, search::tsvector || search_marks(id, has_link, has_image, false)
    from unnest(${column(m => m.id)}::bigint[], ${column(m => m.sender_id)}::int[], ${column(m => m.channel_id)}::int[],
      ${column(m => m.conversation_id)}::int[], ${column(m => m.topic)}::text[], ${column(m => m.content)}::text[],
      ${column(m => m.rendered_content)}::text[], ${column(m => m.renderer_version)}::int[],
      ${times(m => m.date_sent)}::timestamptz[], ${times(m => m.last_edit_time)}::timestamptz[],
      ${times(m => m.last_move_time)}::timestamptz[],
      ${flags(m => m.is_me_message)}::boolean[], ${flags(m => m.has_link)}::boolean[], ${flags(m => m.has_image)}::boolean[],
      ${column(m => m.wildcard_mentions)}::int[], ${column(m => m.search)}::text[])
      as given (id, sender_id, channel_id, conversation_id, topic, content, rendered, renderer, sent, edited, moved, is_me, has_link,
        has_image, wildcards, search)`
  const flagged = messages.flatMap(({ id, flags }) =>
    [...flags].flatMap(([flag, userIds]) => userIds.map(userId => ({ id, userId, bit: flagBit[flag] }))),
  )
  const reactions = messages.flatMap(message => message.reactions.map(one => ({ id: message.id, ...one })))
  await tx`
    insert into message_flags (user_id, message_id, flags)
    select user_id, message_id, bit_or(flag)
    from unnest(${flagged.map(one => one.userId)}::int[], ${flagged.map(one => one.id)}::bigint[],
      ${flagged.map(one => one.bit)}::int[]) as given (user_id, message_id, flag)
    group by 1, 2
    on conflict do nothing`
  await tx`
    insert into reactions (message_id, user_id, reaction_type, emoji_code, emoji_name)
    select message_id, user_id, type, code, name
    from unnest(${reactions.map(one => one.id)}::bigint[], ${reactions.map(one => one.user_id)}::int[],
      ${reactions.map(one => one.type)}::text[], ${reactions.map(one => one.code)}::text[], ${reactions.map(one => one.name)}::text[])
      as given (message_id, user_id, type, code, name)
    on conflict do nothing`
  await insertEdits(tx, messages)
  await markUnread(tx, messages)
}

async function insertEdits(tx: Tx, messages: readonly ImportedMessage[]): Promise<void> {
  const edits = messages.flatMap(message => message.edits.map(edit => ({ id: message.id, ...edit })))
  if (edits.length === 0) return
  const column = <Value>(value: (edit: (typeof edits)[number]) => Value): Value[] => edits.map(value)
  await tx`
    insert into message_edits (message_id, user_id, edited_at, prev_stream, stream, prev_topic, topic, prev_content, prev_rendered_content)
    select message_id, user_id, edited_at, prev_stream, stream, prev_topic, topic, prev_content, prev_rendered_content
    from unnest(${column(e => e.id)}::bigint[], ${column(e => e.user_id)}::int[],
      ${tx.array(
        column(e => e.edited_at),
        type.timestamptz,
      )}::timestamptz[], ${column(e => e.prev_stream)}::int[], ${column(e => e.stream)}::int[], ${column(e => e.prev_topic)}::text[],
      ${column(e => e.topic)}::text[], ${column(e => e.prev_content)}::text[], ${column(e => e.prev_rendered_content)}::text[])
      with ordinality as given (message_id, user_id, edited_at, prev_stream, stream, prev_topic, topic, prev_content, prev_rendered_content, place)
    order by place`
}

/** Those who have not read the messages: all of the import counts as read for them before (`markImportedRead`). */
async function markUnread(tx: Tx, messages: readonly ImportedMessage[]): Promise<void> {
  const unread = messages.flatMap(({ id, unread }) => unread.map(userId => ({ id, userId })))
  if (unread.length === 0) return
  await tx`
    with given as (
      select user_id, (id >> 16)::int as block, range_agg(int8range(id, id + 1)) as ranges
      from unnest(${unread.map(one => one.userId)}::int[], ${unread.map(one => one.id)}::bigint[]) as given (user_id, id)
      group by 1, 2
    ), held as (
      select user_id, block, given.ranges from read_state join given using (user_id, block) order by user_id, block for update of read_state
    )
    update read_state set ranges = read_state.ranges - held.ranges from held
    where read_state.user_id = held.user_id and read_state.block = held.block`
}

/** Another text of a message that was imported, without a mark of an edit. */
export async function storeImportedText(
  tx: Tx,
  id: number,
  text: Pick<
    ImportedMessage,
    'content' | 'rendered_content' | 'renderer_version' | 'has_link' | 'has_image' | 'search'
  > & {
    readonly has_attachment: boolean
  },
): Promise<void> {
  const { has_link, has_image, has_attachment } = text
  await tx`
    update messages set content = ${text.content}, rendered_content = ${text.rendered_content}, renderer_version = ${text.renderer_version},
      has_link = ${has_link}, has_image = ${has_image}, has_attachment = ${has_attachment},
      search = ${text.search}::tsvector || search_marks(id, ${has_link}, ${has_image}, ${has_attachment})
    where id = ${id}`
}

/** The messages between two ids, both included, count as read for the users. */
export async function markImportedRead(
  tx: Tx,
  userIds: readonly number[],
  firstId: number,
  lastId: number,
): Promise<void> {
  await tx`
    insert into read_state (user_id, block, ranges)
    select user_id, block::int, int8multirange(int8range(greatest(block << 16, ${firstId}::bigint), least((block + 1) << 16, ${lastId}::bigint + 1)))
    from unnest(${[...userIds]}::int[]) as reader (user_id)
      cross join generate_series(${firstId}::bigint >> 16, ${lastId}::bigint >> 16) as block
    order by 1, 2
    on conflict (user_id, block) do update set ranges = read_state.ranges + excluded.ranges`
}

/** Until which id it is decided who is notified: no user is notified of what is imported. */
export async function notifyOfNone(tx: Tx, lastId: number): Promise<void> {
  await tx`update notification_progress set message_id = greatest(message_id, ${lastId}::bigint)`
}

/** The first message of a channel, and when its subscriptions begin: with the first message that was imported. */
export async function openHistory(tx: Tx, channelId: number, firstId: number): Promise<void> {
  await tx`update subscriptions set spans = spans + int8multirange(int8range(${firstId}, null)) where channel_id = ${channelId}`
  await tx`
    update channels set first_message_id = (select min(id) from messages where channel_id = ${channelId}) where id = ${channelId}`
}

/** What each of them has received of a channel whose subscribers see nothing else. `spans`: ids in pairs, the second one excluded; null: without end. */
export async function setReceived(
  tx: Tx,
  channelId: number,
  received: ReadonlyMap<number, readonly (readonly [number, number | null])[]>,
): Promise<void> {
  const spans = [...received].flatMap(([userId, all]) => all.map(([from, to]) => ({ userId, from, to })))
  await tx`
    update subscriptions set spans = given.spans from (
      select user_id, range_agg(int8range(first, behind)) as spans
      from unnest(${spans.map(one => one.userId)}::int[], ${spans.map(one => one.from)}::bigint[], ${spans.map(one => one.to)}::bigint[])
        as given (user_id, first, behind)
      group by 1
    ) given
    where channel_id = ${channelId} and subscriptions.user_id = given.user_id`
}

/** What people have chosen for topics of channels that the import has made. */
export async function insertPolicies(
  tx: Tx,
  policies: readonly {
    readonly userId: number
    readonly channelId: number
    readonly topic: string
    readonly policy: number
  }[],
): Promise<void> {
  await tx`
    insert into user_topics (user_id, channel_id, topic, visibility_policy, last_updated)
    select user_id, channel_id, topic, policy, now()
    from unnest(${policies.map(one => one.userId)}::int[], ${policies.map(one => one.channelId)}::int[],
      ${policies.map(one => one.topic)}::text[], ${policies.map(one => one.policy)}::int[]) as given (user_id, channel_id, topic, policy)
    where exists (select from channels where id = channel_id)
    on conflict do nothing`
}

/** What subscribers have chosen for a channel at the source. */
export async function setPersonal(
  tx: Tx,
  channelId: number,
  { pinnedBy, mutedBy }: { readonly pinnedBy: readonly number[]; readonly mutedBy: readonly number[] },
): Promise<void> {
  await tx`
    update subscriptions set pin_to_top = user_id = any(${[...pinnedBy]}::int[]), is_muted = user_id = any(${[...mutedBy]}::int[])
    where channel_id = ${channelId} and user_id = any(${[...pinnedBy, ...mutedBy]}::int[])`
}

/** Workers read the messages of the channels again. */
export async function noteHistories(tx: Tx, channelIds: readonly number[]): Promise<void> {
  await tx`select channels_changed(${[...channelIds]}::int[])`
}

export async function analyzeImported(sql: ISql): Promise<void> {
  await sql`analyze users, channels, subscriptions, conversations, messages, message_flags, reactions, read_state`
}
