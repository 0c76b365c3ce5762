import { attachmentRemove, attachmentUpdate } from '../../../shared/events/attachment.js'
import type { Attachment } from '../../../shared/resources/attachment.js'
import type { Emit } from '../../realtime/emission.js'
import type { Tx } from '../../store/driver/db.js'
import { archiveUnused } from '../../store/files/archived-files.js'
import { addSpace, attachmentsById, deleteUnused, readSpace, replaceUses } from '../../store/files/attachments.js'
import { releaseFiles } from '../../store/files/loose-files.js'
import { keysOf } from './picture-of.js'

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

/** Removes those of the files that no message uses, with their bytes. */
export async function removeUnused(tx: Tx, emit: Emit, attachmentIds: readonly number[]): Promise<void> {
  if (attachmentIds.length === 0) return
  const files = await deleteUnused(tx, attachmentIds)
  await releaseFiles(tx, files.flatMap(keysOf))
  if (files.length > 0) emitRemoval(emit, files, await addSpace(tx, -sizeOf(files)))
}

/**
 * The messages that used these files are archived: files that no other message uses are archived, too. For their uploaders they are removed;
 * their bytes stay as long as the archived messages.
 */
export async function archiveUnusedFiles(tx: Tx, emit: Emit, attachmentIds: readonly number[]): Promise<void> {
  if (attachmentIds.length === 0) return
  const files = await archiveUnused(tx, attachmentIds)
  const size = sizeOf(files)
  if (files.length > 0) emitRemoval(emit, files, await addSpace(tx, -size, size))
  const gone = new Set(files.map(file => file.id))
  await emitUses(
    tx,
    emit,
    attachmentIds.filter(id => !gone.has(id)),
  )
}

const sizeOf = (files: readonly { readonly size: number }[]): number => files.reduce((sum, file) => sum + file.size, 0)

function emitRemoval(emit: Emit, files: readonly { id: number; user_id: number }[], upload_space_used: number): void {
  for (const { id, user_id } of files) emit(attachmentRemove, { attachment: { id }, upload_space_used }, [user_id])
}
