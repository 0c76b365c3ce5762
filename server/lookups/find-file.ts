import { budgets } from '../config/budgets.js'
import type { Ctx } from '../ctx.js'
import { mayReadMessage } from '../policies/reading.js'
import { filesWithUses, type StoredFile } from '../store/attachments.js'
import type { ISql } from '../store/db.js'
import { placedMessages } from '../store/message-rows.js'
import type { UserRow } from '../store/users.js'

/** A file, and whether the user may read it. */
export interface FoundFile extends StoredFile {
  readonly isReadable: boolean
}

// I2: who may read a file follows from who may read the messages that use it.
/**
 * Files with these paths as a user (null: a spectator) sees them: the uploader may read a file, and every user who may read at least one of
 * the newest messages that use it (docs/protocol/files.md#who-may-read-a-file). The caller has refreshed the directory.
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
  const readable = new Set<number>()
  if (ids.size > 0) {
    for (const message of await placedMessages(sql, user?.id ?? 0, [...ids])) {
      if (mayReadMessage(ctx.directory, user, message)) readable.add(message.id)
    }
  }
  return files.map(file => ({
    ...file,
    isReadable: (user !== null && file.user_id === user.id) || file.message_ids.some(id => readable.has(id)),
  }))
}
