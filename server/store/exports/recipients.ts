import type { ISql } from '../driver/db.js'

// The id of a recipient in an archive is four times the id of the thing, plus its kind: 1 a person, 2 a channel, 3 a conversation of three people
// or more. A conversation of two is the recipient of the other person, one of a single person its own.

/** The recipient of the message `m` in its conversation `c`. */
export const recipientOf = (sql: ISql) => sql`case
    when m.channel_id is not null then m.channel_id::bigint * 4 + 2
    when ${isGroup(sql)} then c.id::bigint * 4 + 3
    else coalesce((array_remove(c.user_ids, m.sender_id))[1], m.sender_id)::bigint * 4 + 1
  end`

/** Whether a conversation `c` is a recipient of its own. */
export const isGroup = (sql: ISql) => sql`cardinality(c.user_ids) > 2`
