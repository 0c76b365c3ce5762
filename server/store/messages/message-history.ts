import { budgets } from '../../config/budgets.js'
import type { Tx } from '../driver/db.js'

/** Which edits of messages an answer shows: texts and moves, moves only, or none. */
export type ShownEdits = 'all' | 'moves' | 'none'

/**
 * Deletes earlier text edits of a message beyond the budgets. The newest ones stay, and the first one, which has the text as sent.
 * Moves are never deleted.
 */
export async function pruneEdits(tx: Tx, messageId: number): Promise<void> {
  await tx`
    delete from message_edits where id in (
      select id from (
        select id, prev_topic, prev_stream, row_number() over newest as place, row_number() over oldest as age,
          sum(octet_length(prev_content) + octet_length(prev_rendered_content)) over newest as bytes
        from message_edits where message_id = ${messageId} and prev_content is not null
        window newest as (order by id desc), oldest as (order by id)
      ) edits
      where (place > ${budgets.editsKept.most} or bytes > ${budgets.editBytesKept.most})
        and age > 1 and place > 1 and prev_topic is null and prev_stream is null)`
}
