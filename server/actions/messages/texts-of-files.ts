import type { Ctx } from '../../ctx.js'
import { textFilesOf } from '../../store/messages/search-rebuild.js'

// A message with more words would be larger than PostgreSQL can keep of one.
const mostCharacters = 50_000
const bounds = { mostBytes: 100_000, mostFiles: 5 } as const

/** What stands in small files of text that messages use, by message. @throws {StorageFailure} */
export async function textsOfFiles(
  { sql, storage }: Ctx,
  messageIds: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const found = new Map<number, string[]>()
  for (const { message_id, path_id } of await textFilesOf(sql, messageIds, bounds)) {
    const text = textOf(await storage.readWhole(path_id))
    const before = found.get(message_id) ?? []
    const room = mostCharacters - before.reduce((sum, one) => sum + one.length, 0)
    found.set(message_id, [...before, text.slice(0, room)])
  }
  return found
}

/** Empty if the bytes are gone or are no UTF-8. */
function textOf(bytes: Buffer | undefined): string {
  const text = bytes?.toString() ?? ''
  return text.includes('\0') || text.includes('\ufffd') ? '' : text
}
