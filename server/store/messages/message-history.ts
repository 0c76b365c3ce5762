import { budgets } from '../../config/budgets.js'
import type { ISql } from '../driver/db.js'
import type { Parts } from '../organization/outbox.js'

/** Which edits of messages an answer shows: texts and moves, moves only, or none. */
export type ShownEdits = 'all' | 'moves' | 'none'

/**
 * Deletes earlier text edits of a message beyond the budgets. The newest ones stay, and the first one, which has the text as sent.
 * Moves are never deleted. The statement adds a row that this part does not see: it is the newest, and counts.
 */
export const pruneHistory = (sql: ISql, id: number): Parts => sql`
  delete from message_edits where id in (
    select edits.id from (
      select id, prev_topic, prev_stream, row_number() over newest as place, row_number() over oldest as age,
        sum(octet_length(prev_content) + octet_length(prev_rendered_content)) over newest as bytes
      from message_edits where message_id = ${id} and prev_content is not null
      window newest as (order by id desc), oldest as (order by id)
    ) edits join checked on checked.id = ${id}
    where (place >= ${budgets.editsKept.most}
        or bytes + octet_length(content) + octet_length(rendered_content) > ${budgets.editBytesKept.most})
      and age > 1 and prev_topic is null and prev_stream is null)
  returning id`
