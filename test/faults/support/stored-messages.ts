import type { Sql } from '../../../server/store/driver/db.js'
import { readContent } from './ledger.js'

/** The ledger's messages as the database has them, by their numbers. */
export type StoredMessages = ReadonlyMap<number, { readonly conversation: string; readonly times: number }>

export async function storedMessages(sql: Sql): Promise<StoredMessages> {
  const rows = await sql<{ content: string; times: number }[]>`
    select content, count(*)::int as times from messages where content like 'number %' group by content`
  return new Map(
    rows.flatMap(({ content, times }) => {
      const read = readContent(content)
      return read ? [[read.number, { conversation: read.conversation, times }] as const] : []
    }),
  )
}
