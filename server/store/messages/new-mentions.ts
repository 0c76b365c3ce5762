import type { ISql } from '../driver/db.js'
import type { Parts } from '../organization/outbox.js'

/** The mentions that an edit adds: bits of message_flags by user, and bits of messages.wildcard_mentions. */
export interface NewMentions {
  readonly bits: ReadonlyMap<number, number>
  readonly wildcards: number
}

/** A part that stores the mentions that an edit adds to a message of the part `checked`. */
export const addNewMentions = (sql: ISql, messageId: number, { bits, wildcards }: NewMentions): Parts => sql`
  insert into new_mentions (message_id, user_ids, flags, wildcard_mentions)
  select id, ${[...bits.keys()]}::int[], ${[...bits.values()]}::int[], ${wildcards} from checked where id = ${messageId}
  returning id`
