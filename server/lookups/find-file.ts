import { budgets } from '../config/budgets.js'
import type { Ctx } from '../ctx.js'
import { mayReadFile } from '../policies/files.js'
import type { ISql } from '../store/driver/db.js'
import { filesWithUses, type StoredFile } from '../store/files/attachments.js'
import { placedMessages } from '../store/messages/message-rows.js'
import type { UserRow } from '../store/users/users.js'

/** A file, and whether the user may read it. */
export interface FoundFile extends StoredFile {
  readonly isReadable: boolean
}

/**
 * Files with these paths as a user (null: a spectator) sees them; of many messages that use a file only the newest count. The caller has
 * refreshed the directory.
 */
export async function findFiles(
  ctx: Pick<Ctx, 'directory'>,
  sql: ISql,
  user: UserRow | null,
  pathIds: readonly string[],
): Promise<FoundFile[]> {
  // PostgreSQL takes no text with a null character; no stored path has one.
  const possible = pathIds.filter(pathId => !pathId.includes('\0'))
  const files = await filesWithUses(sql, possible, budgets.usesOfFile.most)
  const ids = new Set(files.flatMap(file => (file.user_id === user?.id ? [] : file.message_ids)))
  const messages = ids.size > 0 ? await placedMessages(sql, user?.id ?? 0, [...ids]) : []
  const byId = new Map(messages.map(message => [message.id, message]))
  return files.map(file => {
    const uses = file.message_ids.flatMap(id => byId.get(id) ?? [])
    return { ...file, isReadable: mayReadFile(ctx.directory, user, file, uses) }
  })
}
