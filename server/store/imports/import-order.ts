import type { ISql, Sql, Tx } from '../driver/db.js'

/** What the order of messages rests on. */
export interface OrderedMessage {
  readonly number: number
  readonly key: string
  readonly sent: Date
  /** How many ids it has at least. */
  readonly ids: number
  readonly place: string
  /** Null: it belongs to no thread that becomes a topic. */
  readonly thread: string | null
  readonly isReply: boolean
  /** The name that the thread has if this is its first message; '' without a thread. */
  readonly title: string
}

// Types of elements, stated because postgres.js infers a wrong array type for them.
const type = { timestamptz: 1184 }

/** Forgets what an import has read of its archive. */
export const clearOrder = (sql: ISql): Promise<unknown> => sql`truncate import_stage`

/** Outside of a transaction: to read an archive takes minutes, and notifications wait for each transaction that writes. */
export async function addToOrder(sql: Sql, messages: readonly OrderedMessage[]): Promise<void> {
  const column = <Value>(value: (one: OrderedMessage) => Value): Value[] => messages.map(value)
  await sql`
    insert into import_stage (number, key, sent, ids, place, thread, is_reply, title)
    select number, key, sent, ids, place, thread, is_reply = 1, title
    from unnest(${column(m => m.number)}::int[], ${column(m => m.key)}::text[],
      ${sql.array(
        column(m => m.sent),
        type.timestamptz,
      )}::timestamptz[], ${column(m => m.ids)}::int[], ${column(m => m.place)}::text[], ${column(m => m.thread)}::text[],
      ${column(m => (m.isReply ? 1 : 0))}::int[], ${column(m => m.title)}::text[])
      as given (number, key, sent, ids, place, thread, is_reply, title)`
}

/** How many messages are in the order: a crash of the database forgets them. */
export async function sizeOfOrder(tx: Tx): Promise<number> {
  const [row] = await tx<[{ count: number }]>`select count(*)::int as count from import_stage`
  return row.count
}

/** Leaves out what the archive has twice, and what earlier imports from the server have stored; returns how many of each. */
export async function dropKnown(tx: Tx, source: string): Promise<{ twice: number; known: number }> {
  const twice = await tx`
    delete from import_stage using (
      select number from (select number, row_number() over (partition by key order by number) as place from import_stage) numbered
      where place > 1
    ) later where import_stage.number = later.number`
  const known = await tx`
    delete from import_stage where exists (
      select from import_messages join imports on imports.id = import_id
      where import_messages.key = import_stage.key and source = ${source})`
  return { twice: twice.count, known: known.count }
}

/** Of the messages in the order: how many ids they need, and how many are older than the newest message of all imports. */
export async function extentOfOrder(tx: Tx): Promise<{ ids: number; older: number }> {
  await tx`
    update import_stage set ids = ids + 1 where not is_reply and exists (
      select from import_stage reply where reply.place = import_stage.place and reply.thread = import_stage.thread and reply.is_reply)`
  const [row] = await tx<{ ids: number; older: number }[]>`
    select coalesce(sum(ids), 0)::int as ids,
      (count(*) filter (where sent < (select max(sent) from import_messages)))::int as older
    from import_stage`
  if (!row) throw new Error('no extent came back')
  return row
}

/** Stores the ids of the messages, from `firstId` on, in the order of their times. */
export async function storeOrder(tx: Tx, importId: number, firstId: number): Promise<void> {
  await tx`
    insert into import_messages (import_id, number, key, sent, id, ids)
    select ${importId}, number, key, sent, ${firstId}::bigint + sum(ids) over (order by sent, number) - ids, ids from import_stage`
}

/** A thread with replies, and the name that it would have. */
export interface NamedThread {
  readonly place: string
  readonly thread: string
  readonly title: string
  readonly sent: Date
  readonly replies: number
}

// Threads per statement.
const threadsTogether = 1000

/**
 * Channel by channel, in the order of their first messages. A page is read at once: the transaction writes before it reads the next one, and a
 * cursor would hold its connection.
 */
export async function* namedThreads(tx: Tx): AsyncGenerator<readonly NamedThread[]> {
  await tx`
    create temporary table import_named on commit drop as
    select (row_number() over (order by place, sent, thread))::int as position, place, thread, title, sent, replies::int from (
      select distinct on (place, thread) place, thread, sent,
        first_value(title) over first as title, count(*) filter (where is_reply) over (partition by place, thread) as replies
      from import_stage where thread is not null
      window first as (partition by place, thread order by title = '', is_reply, sent, number)
      order by place, thread, sent, number
    ) threads where replies > 0`
  await tx`create index on import_named (position)`
  for (let after = 0; ; after += threadsTogether) {
    const page = await tx<NamedThread[]>`
      select place, thread, title, sent, replies from import_named
      where position > ${after} and position <= ${after + threadsTogether} order by position`
    if (page.length === 0) return
    yield page
  }
}

export async function storeThreads(
  tx: Tx,
  importId: number,
  threads: readonly (Omit<NamedThread, 'title' | 'sent'> & { readonly topic: string })[],
): Promise<void> {
  await tx`
    insert into import_threads (import_id, place, thread, topic, replies)
    select ${importId}, * from unnest(${threads.map(one => one.place)}::text[], ${threads.map(one => one.thread)}::text[],
      ${threads.map(one => one.topic)}::text[], ${threads.map(one => one.replies)}::int[])`
}

/** The ids of messages by the numbers of their records, and how many each has. */
export async function idsOf(
  sql: ISql,
  importId: number,
  numbers: readonly number[],
): Promise<Map<number, { readonly id: number; readonly ids: number }>> {
  const rows = await sql<{ number: number; id: number; ids: number }[]>`
    select number, id, ids from import_messages where import_id = ${importId} and number = any(${numbers as number[]}::int[])`
  return new Map(rows.map(({ number, id, ids }) => [number, { id, ids }]))
}

/** The ids of messages by their keys; those of earlier imports from the server included. */
export const messagesByKeys = (
  sql: ISql,
  source: string,
  keys: readonly string[],
): Promise<{ readonly key: string; readonly id: number }[]> =>
  sql<{ key: string; id: number }[]>`
    select distinct on (key) key, import_messages.id from import_messages join imports on imports.id = import_id
    where source = ${source} and key = any(${keys as string[]}::text[]) order by key, import_id`

export interface ThreadTopic {
  readonly place: string
  readonly thread: string
  readonly topic: string
  readonly replies: number
}

/** The topics of these threads, those of earlier imports from the server included. */
export const topicsOf = (
  sql: Sql,
  source: string,
  threads: readonly { readonly place: string; readonly thread: string }[],
): Promise<ThreadTopic[]> =>
  sql<ThreadTopic[]>`
    select distinct on (import_threads.place, import_threads.thread) import_threads.place, import_threads.thread, topic, replies
    from unnest(${threads.map(one => one.place)}::text[], ${threads.map(one => one.thread)}::text[]) as given (place, thread)
      join import_threads on import_threads.place = given.place and import_threads.thread = given.thread
      join imports on imports.id = import_id and source = ${source}
    order by import_threads.place, import_threads.thread, import_id`
