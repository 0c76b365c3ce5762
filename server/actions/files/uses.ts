import { attachmentRemove, attachmentUpdate } from '../../../shared/events/attachment.js'
import type { Attachment } from '../../../shared/resources/attachment.js'
import type { Ctx } from '../../ctx.js'
import { findFiles } from '../../lookups/find-file.js'
import type { Emit } from '../../realtime/emission.js'
import { addSpace, attachmentsById, deleteUnused, readSpace, replaceUses } from '../../store/attachments.js'
import type { ISql, Tx } from '../../store/db.js'
import { releaseFiles } from '../../store/loose-files.js'
import type { UserRow } from '../../store/users.js'

/**
 * Ids of the files that a message of this author uses: those that the author may read. Links to other files stay links, without an error
 * (docs/protocol/files.md#use).
 */
export async function usableFiles(
  ctx: Pick<Ctx, 'directory'>,
  sql: ISql,
  author: UserRow,
  pathIds: readonly string[],
): Promise<number[]> {
  if (pathIds.length === 0) return []
  return (await findFiles(ctx, sql, author, pathIds)).filter(file => file.isReadable).map(file => file.id)
}

/** Tells the uploaders of these files which messages use them now. */
export async function emitUses(tx: Tx, emit: Emit, attachmentIds: readonly number[]): Promise<void> {
  if (attachmentIds.length === 0) return
  const upload_space_used = await readSpace(tx)
  for (const { user_id, attachment } of await attachmentsById(tx, attachmentIds)) {
    emit(attachmentUpdate, { attachment, upload_space_used }, [user_id])
  }
}

/**
 * Stores which files a message uses after an edit, and emits the change.
 * @returns the author's files that no message uses any more
 */
export async function changeUses(
  tx: Tx,
  emit: Emit,
  message: { readonly id: number; readonly sender_id: number },
  attachmentIds: readonly number[],
): Promise<Attachment[]> {
  const { added, removed } = await replaceUses(tx, message.id, attachmentIds)
  await emitUses(tx, emit, [...added, ...removed])
  if (removed.length === 0) return []
  const files = await attachmentsById(tx, removed)
  return files
    .filter(({ user_id, attachment }) => user_id === message.sender_id && attachment.message_ids.length === 0)
    .map(({ attachment }) => attachment)
}

/** The messages that used these files are deleted: files that no other message uses are removed. */
export async function removeUnused(tx: Tx, emit: Emit, attachmentIds: readonly number[]): Promise<void> {
  if (attachmentIds.length === 0) return
  const files = await deleteUnused(tx, attachmentIds)
  await releaseFiles(
    tx,
    files.map(file => file.path_id),
  )
  if (files.length > 0) {
    const upload_space_used = await addSpace(tx, -files.reduce((sum, file) => sum + file.size, 0))
    for (const { id, user_id } of files) emit(attachmentRemove, { attachment: { id }, upload_space_used }, [user_id])
  }
  const gone = new Set(files.map(file => file.id))
  await emitUses(
    tx,
    emit,
    attachmentIds.filter(id => !gone.has(id)),
  )
}
