import { budgets } from '../../config/budgets.js'
import type { ISql, Tx } from '../driver/db.js'

// Id, sender and keys of a submessage in an answer.
const bytesOfFields = 100

/** Bytes that a submessage with this content counts. */
export const submessageBytes = (content: string): number => bytesOfFields + Buffer.byteLength(content)

/** Content of the first submessage of a message. */
export async function firstSubmessage(sql: ISql, messageId: number): Promise<string | undefined> {
  const [row] = await sql<{ content: string }[]>`
    select content from submessages where message_id = ${messageId} order by id limit 1`
  return row?.content
}

/** Returns the id; undefined: the message would have more than `budgets.submessageBytes`. The caller holds the message. */
export async function insertSubmessage(
  tx: Tx,
  {
    message_id,
    sender_id,
    content,
  }: { readonly message_id: number; readonly sender_id: number; readonly content: string },
): Promise<number | undefined> {
  const [row] = await tx<{ id: number }[]>`
    with counted as (
      update messages set submessage_bytes = submessage_bytes + ${submessageBytes(content)}
      where id = ${message_id} and submessage_bytes + ${submessageBytes(content)} <= ${budgets.submessageBytes.most}
      returning id
    )
    insert into submessages (message_id, sender_id, msg_type, content)
    select id, ${sender_id}, 'widget', ${content} from counted returning id`
  return row?.id
}
