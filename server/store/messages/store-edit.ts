import type { ISql } from '../driver/db.js'
import type { Parts } from '../organization/outbox.js'
import { type EditableMessage, flagsOfContent } from './editable-message.js'
import { flagBit } from './message-flags.js'
import { pruneHistory } from './message-history.js'
import { addNewMentions, type NewMentions } from './new-mentions.js'

/** The new content of a message. */
export interface NewContent {
  readonly content: string
  readonly rendered_content: string
  readonly renderer_version: number
  /** Its words and those of its topic after the edit, as the text of a `tsvector`. */
  readonly search: string
  readonly has_link: boolean
  readonly has_image: boolean
  readonly has_attachment: boolean
  readonly is_me_message: boolean
  readonly wildcard_mentions: number
  /** The flags of `flagsOfContent` that users have because of it. */
  readonly bits: ReadonlyMap<number, number>
}

interface StoredEdit {
  /** The edited message, as it was opened. */
  readonly message: EditableMessage
  readonly userId: number
  /** Null: a new content that is no edit leaves no history and no time of an edit. */
  readonly at: Date | null
  readonly content: NewContent | null
  /** The messages that move, with the edited one; null: none does. A field that does not change is null. */
  readonly move: {
    readonly ids: readonly number[]
    readonly channelId: number | null
    readonly topic: string | null
    /** The words of the new topic, as the text of a `tsvector`. */
    readonly topicWords: string | null
  } | null
}

/** The part `checked` for messages that a transaction moves: it holds their channel. */
export const movedMessages = (sql: ISql, ids: readonly number[]): Parts => sql`
  checked as materialized (
    select id, channel_id, topic, content, rendered_content from messages where id = any(${ids as number[]}::bigint[])
    order by id for no key update
  )`

/**
 * The parts of `storeWithEvents` after `checked`: the new place and the new content of messages, their former state in their history, and the mentions and
 * alert words in the new content. Parts that most edits do not need are in the statement only if this one does.
 */
export function storeEdit(sql: ISql, { message, userId, at, content, move }: StoredEdit): Parts {
  const { id } = message
  const edited = content ? id : 0
  const moved = sql`
    channel_id = coalesce(${move?.channelId ?? null}::int, messages.channel_id), topic = coalesce(${move?.topic ?? null}::text, messages.topic),
    last_move_time = ${at}`
  const movedWords = move && move.topicWords !== null ? sql`, ${wordsInTopic(sql, move.topicWords)}` : sql``
  const mentions = content && newMentionsOf(message, content)
  const further: readonly (readonly [name: string, part: Parts])[] = [
    ...(mentions ? [['noted', addNewMentions(sql, id, mentions)] as const] : []),
    ...(content && message.was_edited ? [['pruned', pruneHistory(sql, id)] as const] : []),
    ...(content && message.has_mentions ? removeMentions(sql, id, [...content.bits.keys()]) : []),
    ...(content && content.bits.size > 0 ? [['mentioned', addMentions(sql, id, content.bits)] as const] : []),
    ...(content && move ? [['moved', moveOthers(sql, id, sql`${moved} ${movedWords}`)] as const] : []),
  ]
  const history = sql`
    history as (
      insert into message_edits (message_id, user_id, edited_at, prev_stream, stream, prev_topic, topic, prev_content,
        prev_rendered_content)
      select id, ${userId}, ${at}, case when ${move?.channelId ?? null}::int is not null then channel_id end, ${move?.channelId ?? null}::int,
        case when ${move?.topic ?? null}::text is not null then topic end, ${move?.topic ?? null}::text,
        case when id = ${edited} then content end, case when id = ${edited} then rendered_content end
      from checked order by id
      returning id
    ),`
  return sql`
    ${at ? history : sql``}
    ${further.reduce((all, [name, part]) => sql`${all} ${sql(name)} as (${part}),`, sql``)}
    written as (
      update messages set ${content ? contentColumns(sql, content, at) : sql`${moved} ${movedWords}`} ${content && move ? sql`, ${moved}` : sql``}
      from checked where messages.id = checked.id ${content ? sql`and messages.id = ${id}` : sql``}
      returning messages.id
    ),
    done as materialized (
      select count(*)::int as count from written ${at ? sql`, (select count(*) from history) past` : sql``}
        ${further.reduce((all, [name]) => sql`${all}, (select count(*) from ${sql(name)}) ${sql(`past_${name}`)}`, sql``)}
      having count(*) > 0
    )`
}

/** The mentions that new content adds to a message; null: none. */
export function newMentionsOf(
  { reader_flags, wildcard_mentions }: Pick<EditableMessage, 'reader_flags' | 'wildcard_mentions'>,
  content: Pick<NewContent, 'bits' | 'wildcard_mentions'>,
): NewMentions | null {
  const before = new Map(reader_flags?.flatMap(({ user_ids, bits }) => user_ids.map(id => [id, bits] as const)))
  const added = [...content.bits].map(
    ([id, bits]) =>
      [id, bits & ~(before.get(id) ?? 0) & (flagBit.mentioned | flagBit.topic_wildcard_mentioned)] as const,
  )
  const bits = new Map(added.filter(([, one]) => one !== 0))
  const wildcards = content.wildcard_mentions & ~wildcard_mentions
  return bits.size > 0 || wildcards !== 0 ? { bits, wildcards } : null
}

const contentColumns = (sql: ISql, content: NewContent, at: Date | null): Parts => sql`
  content = ${content.content}, rendered_content = ${content.rendered_content}, renderer_version = ${content.renderer_version},
  has_link = ${content.has_link}, has_image = ${content.has_image}, has_attachment = ${content.has_attachment},
  is_me_message = ${content.is_me_message}, wildcard_mentions = ${content.wildcard_mentions}, last_edit_time = coalesce(${at}, last_edit_time),
  search = ${content.search}::tsvector
    || search_marks(messages.id, ${content.has_link}, ${content.has_image}, ${content.has_attachment})`

const wordsInTopic = (sql: ISql, words: string): Parts => sql`
  search = search_in_topic(messages.search, ${words}::tsvector,
    search_marks(messages.id, messages.has_link, messages.has_image, messages.has_attachment))`

const moveOthers = (sql: ISql, id: number, moved: Parts): Parts => sql`
  update messages set ${moved} from checked where messages.id = checked.id and messages.id <> ${id} returning messages.id`

/** Removes the mentions and alert words of users that the new content does not name. A user may set a flag at the same time, so the rows are locked first. */
const removeMentions = (sql: ISql, id: number, named: number[]): [name: string, part: Parts][] => [
  [
    'formerly',
    sql`
      select user_id, flags & ~${flagsOfContent}::int as flags from message_flags
      where message_id = ${id} and flags & ${flagsOfContent}::int <> 0 and user_id <> all(${named}::int[]) and exists (select from checked)
      order by user_id for update`,
  ],
  [
    'unnamed',
    sql`
      delete from message_flags using formerly
      where message_id = ${id} and message_flags.user_id = formerly.user_id and formerly.flags = 0
      returning message_flags.user_id`,
  ],
  [
    'reduced',
    sql`
      update message_flags set flags = formerly.flags from formerly
      where message_id = ${id} and message_flags.user_id = formerly.user_id and formerly.flags <> 0
      returning message_flags.user_id`,
  ],
]

const addMentions = (sql: ISql, id: number, bits: ReadonlyMap<number, number>): Parts => sql`
  insert into message_flags (user_id, message_id, flags)
  select given.user_id, checked.id, given.flags
  from unnest(${[...bits.keys()]}::int[], ${[...bits.values()]}::int[]) as given (user_id, flags) join checked on checked.id = ${id}
  order by given.user_id
  on conflict (user_id, message_id) do update set flags = (message_flags.flags & ~${flagsOfContent}::int) | excluded.flags
  returning user_id`
