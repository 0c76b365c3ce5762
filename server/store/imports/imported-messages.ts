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
  readonly is_me_message: boolean
  readonly has_link: boolean
  readonly has_image: boolean
  readonly wildcard_mentions: number
  /** Its words, as the text of a `tsvector`. */
  readonly search: string
  /** Users that it mentions. */
  readonly mentioned: readonly number[]
  /** Users who have marked it for themselves. */
  readonly starred: readonly number[]
  readonly reactions: readonly ImportedReaction[]
}

export interface ImportedReaction {
  readonly user_id: number
  readonly type: 'unicode_emoji' | 'realm_emoji'
  readonly code: string
  readonly name: string
}

/** Stores messages of an earlier time with flags and reactions. They have no event, and notify no user. */
export async function insertImported(tx: Tx, messages: readonly ImportedMessage[]): Promise<void> {
  // `noteProgress` is in the same transaction: a batch that is lost with its commit is written again.
  await tx`set local synchronous_commit = off`
  const column = <Value>(value: (message: ImportedMessage) => Value): Value[] => messages.map(value)
  const flags = (value: (message: ImportedMessage) => boolean) => tx.array(messages.map(value), type.boolean)
  const times = (value: (message: ImportedMessage) => Date | null) => tx.array(messages.map(value), type.timestamptz)
  await tx`
    insert into messages (id, sender_id, channel_id, conversation_id, topic, content, rendered_content, renderer_version,
      date_sent, last_edit_time, client, read_by_sender, is_me_message, has_link, has_image, wildcard_mentions, search)
    overriding system value
    select id, sender_id, channel_id, conversation_id, topic, content, rendered, renderer, sent, edited, 'import', true,
      is_me, has_link, has_image, wildcards, search::tsvector || search_marks(id, has_link, has_image, false)
    from unnest(${column(m => m.id)}::bigint[], ${column(m => m.sender_id)}::int[], ${column(m => m.channel_id)}::int[],
      ${column(m => m.conversation_id)}::int[], ${column(m => m.topic)}::text[], ${column(m => m.content)}::text[],
      ${column(m => m.rendered_content)}::text[], ${column(m => m.renderer_version)}::int[],
      ${times(m => m.date_sent)}::timestamptz[], ${times(m => m.last_edit_time)}::timestamptz[],
      ${flags(m => m.is_me_message)}::boolean[], ${flags(m => m.has_link)}::boolean[], ${flags(m => m.has_image)}::boolean[],
      ${column(m => m.wildcard_mentions)}::int[], ${column(m => m.search)}::text[])
      as given (id, sender_id, channel_id, conversation_id, topic, content, rendered, renderer, sent, edited, is_me, has_link,
        has_image, wildcards, search)`
  const flagged = messages.flatMap(({ id, mentioned, starred }) =>
    [...new Set([...mentioned, ...starred])].map(userId => ({
      id,
      userId,
      flags: (mentioned.includes(userId) ? flagBit.mentioned : 0) | (starred.includes(userId) ? flagBit.starred : 0),
    })),
  )
  const reactions = messages.flatMap(message => message.reactions.map(one => ({ id: message.id, ...one })))
  await tx`
    insert into message_flags (user_id, message_id, flags)
    select user_id, message_id, flags
    from unnest(${flagged.map(one => one.userId)}::int[], ${flagged.map(one => one.id)}::bigint[],
      ${flagged.map(one => one.flags)}::int[]) as given (user_id, message_id, flags)
    on conflict do nothing`
  await tx`
    insert into reactions (message_id, user_id, reaction_type, emoji_code, emoji_name)
    select message_id, user_id, type, code, name
    from unnest(${reactions.map(one => one.id)}::bigint[], ${reactions.map(one => one.user_id)}::int[],
      ${reactions.map(one => one.type)}::text[], ${reactions.map(one => one.code)}::text[], ${reactions.map(one => one.name)}::text[])
      as given (message_id, user_id, type, code, name)
    on conflict do nothing`
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
