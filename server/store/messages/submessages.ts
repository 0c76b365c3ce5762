import type { ISql } from '../driver/db.js'
import type { Parts } from '../organization/outbox.js'
import { type Versioned, version } from './open-message.js'

// Id, sender and keys of a submessage in an answer.
const bytesOfFields = 100

/** Bytes that a submessage with this content counts. */
export const submessageBytes = (content: string): number => bytesOfFields + Buffer.byteLength(content)

/** What `openMessage` reads with `acting`. */
export interface Acting extends Versioned {
  readonly submessage_bytes: number
  /** Content of the first submessage; null: there is none. */
  readonly first_submessage: string | null
  /** The id that the new submessage gets. */
  readonly next_id: number
}

export const acting = (sql: ISql): Parts => sql`
  ${version(sql)}, m.submessage_bytes,
  (select s.content from submessages s where m.submessage_bytes > 0 and s.message_id = m.id order by s.id limit 1) as first_submessage,
  nextval('messages_id_seq') as next_id`

interface NewSubmessage {
  readonly submessage_id: number
  readonly message_id: number
  readonly sender_id: number
  readonly content: string
}

/** The parts of `storeWithEvents` after `checked`. */
export const insertSubmessage = (
  sql: ISql,
  { submessage_id, message_id, sender_id, content }: NewSubmessage,
): Parts => sql`
  counted as (
    update messages set submessage_bytes = submessage_bytes + ${submessageBytes(content)} from checked
    where messages.id = checked.id
    returning messages.id
  ),
  done as (
    insert into submessages (id, message_id, sender_id, msg_type, content)
    select ${submessage_id}::bigint, id, ${sender_id}, 'widget', ${content} from counted where id = ${message_id}
    returning id
  )`
