import type { ISql } from '../driver/db.js'
import { keyLifetimeMinutes } from '../messages/idempotency-keys.js'
import type { DueRow, InsertedMessage, NewMessage } from '../messages/messages.js'
import { insertUsualMessage, isUsual } from './insert-usual-message.js'

/** What became of a message. `starts`: not stored, since it would be the first of its topic; undefined: its versions are out of date. */
export type Outcome = InsertedMessage | 'starts' | undefined

interface InsertedRow {
  position: number
  /** Null: the message would be the first of its topic. */
  id: number | null
  /** Null: the message has no events. */
  outbox_id: number | null
  xid: string
  is_first: boolean
  is_start: boolean
  is_repeat: boolean
}

/**
 * Stores messages with their outbox rows and flags in one statement. It stores a message only if the versions that its permissions
 * and audience were computed with are current: the organization's, and the channel's two versions. The statement locks the channel
 * and so waits for a concurrent change of it. Undefined: the caller has to compute the message again.
 *
 * Of several messages with one idempotency key it stores the first, and returns its id for all of them. The race of two workers rests on
 * the primary key of `idempotency_keys`: the second statement waits there for the commit of the first. No two of `messages` have the same.
 *
 * A message with `asksForStart` that would be the first of its topic is stored only with `storesStarts`: further changes belong in its
 * transaction.
 * A message that is the work of a job is stored if the statement ends the job; so that happens once. No two of `messages` have the same.
 * If it has a due row, the statement must delete that, too.
 *
 * All messages are one parameter: one list of JSON objects is cheaper to parse than the two dozen arrays that would replace it. A usual
 * message that is alone has a statement of its own.
 * The transaction gets its id before the messages get theirs (memory/settled-ids.ts), also without a channel to lock.
 * Parts that most messages do not need are in the statement only if a message needs them, because PostgreSQL sets up every part
 * for each execution.
 */
export async function insertMessages(
  sql: ISql,
  messages: readonly NewMessage[],
  storesStarts = false,
): Promise<Outcome[]> {
  const [only] = messages
  if (only && messages.length === 1 && isUsual(only)) return [await insertUsualMessage(sql, only)]
  const flags = messages.flatMap((message, position) =>
    message.flags.map(flag => ({ position, user_id: flag.userId, flags: flag.flags })),
  )
  const readers = messages.flatMap(({ readerIds }, position) => readerIds.map(user_id => ({ position, user_id })))
  const uses = messages.flatMap(({ attachmentIds }, position) =>
    attachmentIds.map(attachment_id => ({ position, attachment_id })),
  )
  const awaiting = messages.flatMap(({ awaitsWebsites }, position) => (awaitsWebsites ? [position] : []))
  const widgets = messages.flatMap(({ widget }, position) => (widget === undefined ? [] : [{ position, widget }]))
  const hasJobs = messages.some(message => message.ends !== undefined)
  const dueTables = [...new Set(messages.flatMap(({ dueRow }) => dueRow?.table ?? []))].sort()
  const done = hasJobs ? isDone(sql, dueTables) : sql``
  const hasKeys = messages.some(message => message.requestKey !== undefined)
  const hasMoreEntries = messages.some(message => message.entries.length > 1)
  const channelIds = [...new Set(messages.flatMap(message => message.channel_id ?? []))]
  const leavesStarts = !storesStarts && messages.some(message => message.asksForStart)
  const valid = sql`
    select given.*, channel_id is not null and locked.first_message_id is null as is_first, ${isStart(sql, messages)} as is_start
    from given left join locked on locked.id = channel_id
    where organization_version = (select version from present)
      and (channel_id is null or (channel_version, audience_version) = (locked.version, locked.subscribers_version))
    order by position`
  // I1: the message and its outbox row are one statement. I3: no row per reader; `flags` names only users whose flags differ.
  const rows = await sql<InsertedRow[]>`
    with given as (
      select * from json_to_recordset(${JSON.stringify(messages.map((message, position) => given(message, position, hasMoreEntries)))}::text::json) as given (position int, sender_id int,
        channel_id int, conversation_id int, topic text, content text, rendered_content text, renderer_version smallint,
        date_sent timestamptz, client text, read_by_sender boolean, read_by_all boolean, is_me_message boolean,
        has_link boolean, has_image boolean, has_attachment boolean, wildcard_mentions smallint, submessage_bytes int, search text, entry text,
        organization_version bigint, channel_version bigint, audience_version bigint, asks_for_start boolean
        ${hasKeys ? sql`, idempotency_key uuid, fingerprint uuid, answer text` : sql``}
        ${hasJobs ? sql`, job_id bigint, job_attempts int` : sql``}
        ${dueTables.length > 0 ? sql`, due_table text, due_id int` : sql``})
    ), locked as materialized (
      select id, version, subscribers_version, first_message_id, history_public_to_subscribers from channels
      where id = any(${channelIds}::int[])
      order by id for share
    ), present as materialized (
      select organization_version_now() as version from (select count(*) from locked) held
      where pg_current_xact_id() is not null
    ) ${leavesStarts || hasJobs ? sql`, valid as materialized (${valid})` : sql``} ${hasJobs ? endTheirJobs(sql, leavesStarts) : sql``}
    ${dueTables.reduce((all, table) => sql`${all} ${deleteDue(sql, table)}`, sql``)},
    ${hasKeys ? sql`proposed` : sql`checked`} as materialized (
      select valid.*, nextval('messages_id_seq') as id
      from ${leavesStarts || hasJobs ? sql`valid where ${leavesStarts ? sql`not is_start` : sql`true`} ${hasJobs ? sql`and ${done} order by position` : sql``}` : sql`(${valid}) valid`}
    ) ${hasKeys ? claimKeys(sql) : sql``}, announced as (
      insert into outbox (message_id, entry) ${hasMoreEntries ? allEntries(sql, messages) : oneEntry(sql)}
      returning id, message_id
    ), stored as (
      insert into messages (id, sender_id, channel_id, conversation_id, topic, content, rendered_content, renderer_version,
        date_sent, client, read_by_sender, read_by_all, is_me_message, has_link, has_image, has_attachment, wildcard_mentions,
        submessage_bytes, search)
      overriding system value
      select id, sender_id, channel_id, conversation_id, topic, content, rendered_content, renderer_version,
        date_sent, client, read_by_sender, read_by_all, is_me_message, has_link, has_image, has_attachment, wildcard_mentions,
        submessage_bytes, search::tsvector || search_marks(id, has_link, has_image, has_attachment)
      from checked
    ) ${flags.length > 0 ? insertFlags(sql, flags) : sql``} ${readers.length > 0 ? markRead(sql, readers) : sql``}
      ${uses.length > 0 ? insertUses(sql, uses) : sql``} ${widgets.length > 0 ? insertWidgets(sql, widgets) : sql``}
      ${awaiting.length > 0 ? insertWebsiteWork(sql, awaiting) : sql``}
    select position, checked.id, announced.id as outbox_id, pg_current_xact_id()::text as xid, is_first, is_start,
      false as is_repeat
    from checked left join announced on message_id = checked.id ${hasKeys ? repeats(sql) : sql``}
      ${leavesStarts ? starts(sql) : sql``} ${hasJobs ? endedBefore(sql, done, leavesStarts) : sql``} order by position, outbox_id`
  return outcomes(messages.length, rows)
}

/** One element of the JSON list. `hasMoreEntries`: all entries are in a list of their own. */
function given(message: NewMessage, position: number, hasMoreEntries: boolean) {
  return {
    position,
    sender_id: message.sender_id,
    channel_id: message.channel_id,
    conversation_id: message.conversation_id,
    topic: message.topic,
    content: message.content,
    rendered_content: message.rendered_content,
    renderer_version: message.renderer_version,
    date_sent: message.date_sent,
    client: message.client,
    read_by_sender: message.read_by_sender,
    read_by_all: message.read_by_all,
    is_me_message: message.is_me_message,
    has_link: message.has_link,
    has_image: message.has_image,
    has_attachment: message.has_attachment,
    wildcard_mentions: message.wildcard_mentions,
    submessage_bytes: message.submessage_bytes,
    search: message.search,
    entry: !hasMoreEntries && message.entries[0] ? base64(message.entries[0]) : undefined,
    organization_version: message.organizationVersion,
    channel_version: message.channelVersion,
    audience_version: message.subscribersVersion,
    asks_for_start: message.asksForStart,
    idempotency_key: message.requestKey?.key,
    fingerprint: message.requestKey?.fingerprint,
    answer: message.requestKey?.answer,
    job_id: message.ends?.id,
    job_attempts: message.ends?.attempts,
    due_table: message.dueRow?.table,
    due_id: message.dueRow?.id,
  }
}

/** A third shorter than the hexadecimal form in which the driver sends bytes. */
const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')

/** Ends the jobs of the messages that will be stored. */
const endTheirJobs = (sql: ISql, leavesStarts: boolean) => sql`
  , ended as (
    delete from jobs using valid where jobs.id = job_id and jobs.attempts = job_attempts ${leavesStarts ? sql`and not is_start` : sql``}
    returning jobs.id, jobs.attempts
  )`

/** Deletes the due rows of a table whose jobs end. */
const deleteDue = (sql: ISql, table: DueRow['table']) => sql`
  , ${sql(`deleted_${table}`)} as (
    delete from ${sql(table)} due using valid join ended on (ended.id, ended.attempts) = (job_id, job_attempts)
    where due_table = ${table} and due.id = due_id
    returning job_id, job_attempts
  )`

/** Whether the message is no work of a job, or the statement has ended its job and deleted its due row. */
function isDone(sql: ISql, dueTables: readonly DueRow['table'][]) {
  const deleted = dueTables.reduce(
    (all, table) =>
      sql`${all} or (job_id, job_attempts) in (select job_id, job_attempts from ${sql(`deleted_${table}`)})`,
    sql``,
  )
  // With the claim: one that has run out may be in the same batch as its successor.
  return sql`(job_id is null or (job_id, job_attempts) in (select id, attempts from ended) and ${dueTables.length > 0 ? sql`(due_id is null ${deleted})` : sql`true`})`
}

/** Another worker has ended the job, or runs it, or the due row is gone: the message is not stored, and need not be prepared again. */
const endedBefore = (sql: ISql, done: ReturnType<typeof isDone>, leavesStarts: boolean) => sql`
  union all
  select position, 0, null, pg_current_xact_id()::text, false, false, true from valid
  where not ${done} ${leavesStarts ? sql`and not is_start` : sql``}`

/** Whether the message is the first of its topic that its sender can see; computed only on request, with one more index lookup. */
function isStart(sql: ISql, messages: readonly NewMessage[]) {
  if (!messages.some(message => message.asksForStart)) return sql`false`
  return sql`asks_for_start and not exists (
    select from messages before
    where before.channel_id = given.channel_id and lower(before.topic) = lower(given.topic)
      and (locked.history_public_to_subscribers or before.id <@ (
        select spans from subscriptions own where own.user_id = given.sender_id and own.channel_id = given.channel_id)))`
}

/**
 * Stores the keys of messages, and lets through a message without a key or with a new or expired one. `on conflict do update` returns
 * the other row also if it was committed after this statement began. The join finds each key in `proposed`; it is a full join because
 * PostgreSQL makes that a hash join, where it would compare each row with each for an estimate of one row.
 */
function claimKeys(sql: ISql) {
  const isCurrent = sql`earlier.created > now() - make_interval(mins => ${keyLifetimeMinutes})`
  return sql`
    , claimed as (
      insert into idempotency_keys as earlier (key, message_id, fingerprint, answer)
      select idempotency_key, id, fingerprint, answer from proposed where idempotency_key is not null order by idempotency_key
      on conflict (key) do update set
        message_id = case when ${isCurrent} then earlier.message_id else excluded.message_id end,
        fingerprint = case when ${isCurrent} then earlier.fingerprint else excluded.fingerprint end,
        answer = case when ${isCurrent} then earlier.answer else excluded.answer end,
        created = case when ${isCurrent} then earlier.created else excluded.created end
      returning key, message_id
    ), resolved as materialized (
      select proposed.*, claimed.message_id as stored_id from proposed full join claimed on key = idempotency_key
    ), checked as materialized (
      select * from resolved where stored_id is null or stored_id = id
    )`
}

const repeats = (sql: ISql) => sql`
  union all
  select position, stored_id, null, pg_current_xact_id()::text, false, false, true from resolved where stored_id <> id`

const starts = (sql: ISql) => sql`
  union all
  select position, null, null, pg_current_xact_id()::text, false, true, false from valid where is_start`

const oneEntry = (sql: ISql) => sql`
  select id, decode(entry, 'base64') from checked where entry is not null order by position`

/** Outbox ids ascend in the order of the entries, message by message. */
function allEntries(sql: ISql, messages: readonly NewMessage[]) {
  const entries = messages.flatMap((message, position) =>
    message.entries.map(entry => ({ position, entry: base64(entry) })),
  )
  return sql`
    select checked.id, decode(entries.entry, 'base64')
    from rows from (json_to_recordset(${JSON.stringify(entries)}::text::json) as (position int, entry text))
      with ordinality as entries (position, entry, n)
      join checked using (position)
    order by entries.n`
}

const insertFlags = (sql: ISql, flags: readonly object[]) => sql`
  , flagged as (
    insert into message_flags (user_id, message_id, flags)
    select given.user_id, checked.id, given.flags
    from json_to_recordset(${JSON.stringify(flags)}::text::json) as given (position int, user_id int, flags int)
      join checked using (position)
  )`

// I3: a row per block of ids, and only for users who muted the sender.
const markRead = (sql: ISql, readers: readonly object[]) => sql`
  , read as (
    insert into read_state (user_id, block, ranges)
    select given.user_id, (checked.id >> 16)::int, range_agg(int8range(checked.id, checked.id + 1))
    from json_to_recordset(${JSON.stringify(readers)}::text::json) as given (position int, user_id int)
      join checked using (position)
    group by 1, 2 order by 1, 2
    on conflict (user_id, block) do update set ranges = read_state.ranges + excluded.ranges
  )`

// The lock: a file that is removed at this moment is not used, instead of failing the statement.
const insertUses = (sql: ISql, uses: readonly object[]) => sql`
  , used as (
    insert into attachment_uses (attachment_id, message_id)
    select a.id, checked.id
    from json_to_recordset(${JSON.stringify(uses)}::text::json) as given (position int, attachment_id int)
      join checked using (position) join attachments a on a.id = attachment_id
    for key share of a
  )`

const insertWebsiteWork = (sql: ISql, positions: readonly number[]) => sql`
  , awaited as (
    insert into website_work (message_id, sender_id)
    select id, sender_id from checked where position = any(${positions as number[]}::int[])
  ), awaited_jobs as (
    insert into jobs (kind, payload) select 'websites', '{}' from checked where position = any(${positions as number[]}::int[])
  )`

const insertWidgets = (sql: ISql, widgets: readonly object[]) => sql`
  , begun as (
    insert into submessages (id, message_id, sender_id, msg_type, content)
    select checked.id, checked.id, checked.sender_id, 'widget', given.widget
    from json_to_recordset(${JSON.stringify(widgets)}::text::json) as given (position int, widget text)
      join checked using (position)
  )`

function outcomes(count: number, rows: readonly InsertedRow[]): Outcome[] {
  const result = new Array<Outcome>(count).fill(undefined)
  for (const { position, id, outbox_id, xid, is_first: isFirst, is_start: isStart, is_repeat: isRepeat } of rows) {
    const before = result[position]
    if (id === null) result[position] = 'starts'
    else if (typeof before !== 'object') {
      result[position] = { id, isRepeat, outboxIds: outbox_id === null ? [] : [outbox_id], xid, isFirst, isStart }
    } else if (outbox_id !== null) result[position] = { ...before, outboxIds: [...before.outboxIds, outbox_id] }
  }
  return result
}

/**
 * Stores the first message of channels without one. This is not part of the insert: two workers with a shared lock on the channel
 * would wait for each other to update its row. If a worker dies before this statement, the next message repeats it.
 */
export async function noteFirstMessages(sql: ISql, channelIds: readonly number[]): Promise<void> {
  await sql`
    update channels set first_message_id = (select min(id) from messages where channel_id = channels.id)
    where id = any(${channelIds as number[]}::int[]) and first_message_id is null`
}
