import type { Ctx, WorkerCtx } from '../../../ctx.js'
import { type Erasure, eraseUser, erasureKey } from '../../../job-types/erase-user.js'
import { readPersonExports } from '../../../store/exports/exports.js'
import { deleteArchivedFilesOf, deleteUnusedArchived } from '../../../store/files/archived-files.js'
import { addSpace, deleteFilesOf, type StoredFile } from '../../../store/files/attachments.js'
import { releaseFiles } from '../../../store/files/loose-files.js'
import { jobState } from '../../../store/jobs/listed-jobs.js'
import { holdChannels } from '../../../store/messages/message-audience.js'
import { messagesReactedTo } from '../../../store/messages/reactions.js'
import {
  channelsOf,
  deletePersonalRows,
  deleteSubscriptionsOf,
  eraseArchived,
  redactAuditLog,
  remainingData,
} from '../../../store/users/personal-data.js'
import { deletedName, deleteJobsOf } from '../../../store/users/personal-jobs.js'
import type { UserRow } from '../../../store/users/users.js'
import { settleExport } from '../../exports/end-export.js'
import { keysOf } from '../../files/picture-of.js'
import { removeAllReactions } from '../../messages/reactions.js'
import { deleteMessagesOf } from '../delete-messages-of.js'
import { countMentions, renameMentions } from './rename-mentions.js'

/** What would go, or is left, by its kind; without kinds of which there is nothing. */
export async function erasurePreview(ctx: Ctx, { user_id, messages }: Erasure): Promise<Record<string, number>> {
  const left = await remainingData(ctx.sql, user_id, { withMessages: messages === 'delete' })
  const mentions = await countMentions(ctx, { userId: user_id, name: deletedName(user_id) })
  return mentions > 0 ? { ...left, mentions } : left
}

type ErasureState = 'none' | 'pending' | 'failed'

/** How far an erasure is: its job, and what is left but for mentions, for which all texts are read. */
export async function remainingOf(
  { sql }: Ctx,
  { user_id, messages }: Erasure,
): Promise<{ state: ErasureState; found: Record<string, number> }> {
  const found = await remainingData(sql, user_id, { withMessages: messages === 'delete' })
  const state = await jobState(sql, eraseUser.name, erasureKey(user_id))
  return { state: state === undefined ? 'none' : state === 'dead' ? 'failed' : 'pending', found }
}

const allKinds = {
  delete_public_channel_messages: true,
  delete_private_channel_messages: true,
  delete_direct_messages: true,
} as const
// Files, and messages with reactions, per step.
const batch = 100

/**
 * Erases what belongs to an account without profile, in small transactions, and then looks for the rest. Can be repeated after any interruption.
 * @throws if anything is left
 */
export async function eraseData(ctx: WorkerCtx, erasure: Erasure, signal: AbortSignal): Promise<void> {
  const user = ctx.directory.users.get(erasure.user_id)
  if (!user?.is_deleted) throw new Error(`the account ${erasure.user_id} has a profile`)
  for (const step of [...(erasure.messages === 'delete' ? [deleteMessages] : []), ...steps]) {
    while (await step(ctx, user)) signal.throwIfAborted()
  }
  await renameMentions(ctx, { userId: user.id, name: user.full_name }, signal)
  await deleteJobsOf(ctx.sql, user.id)
  await ctx.presence.forget(user.id)
  signal.throwIfAborted()
  const left = await erasurePreview(ctx, erasure)
  if (Object.keys(left).length > 0) throw new Error(`an erasure left: ${JSON.stringify(left)}`)
  await ctx.write(async (_tx, _emit, { audit }) => {
    audit('user/erased', { subject: { user_id: user.id }, before: null, after: { left: 0 } })
  })
}

/** Does a part of the work; false: nothing is left to do. */
type Step = (ctx: WorkerCtx, user: UserRow) => Promise<boolean>

const deleteMessages: Step = (ctx, user) =>
  ctx.write(async (tx, emit) => {
    await ctx.directory.hold(tx, 'share')
    return deleteMessagesOf(ctx, tx, emit, { user, actions: allKinds })
  })

const removeReactions: Step = async (ctx, user) => {
  const ids = await messagesReactedTo(ctx.sql, user.id, batch)
  for (const id of ids) await removeAllReactions(ctx, user, id)
  return ids.length > 0
}

const endSubscriptions: Step = async (ctx, user) => {
  const ids = await channelsOf(ctx.sql, user.id)
  if (ids.length === 0) return false
  await ctx.write(async tx => {
    await ctx.directory.hold(tx, 'share')
    await holdChannels(tx, ids, 'update')
    await deleteSubscriptionsOf(tx, user.id)
  })
  return true
}

const eraseArchive: Step = async ({ sql }, user) => {
  await sql.begin(async tx => {
    const used = await eraseArchived(tx, user.id)
    const files = [...(await deleteArchivedFilesOf(tx, user.id)), ...(await deleteUnusedArchived(tx, used))]
    await releaseFiles(tx, files.flatMap(keysOf))
    await addSpace(tx, 0, -sizeOf(files))
  })
  return false
}

const removeFiles: Step = async ({ sql }, user) => {
  const files = (await sql.begin(async tx => {
    const gone = await deleteFilesOf(tx, user.id, batch)
    await releaseFiles(tx, gone.flatMap(keysOf))
    await addSpace(tx, -sizeOf(gone))
    return gone
  })) as StoredFile[]
  return files.length > 0
}

const sizeOf = (files: readonly { readonly size: number }[]): number => files.reduce((sum, file) => sum + file.size, 0)

const deleteArchives: Step = async (ctx, user) => {
  const rows = await readPersonExports(ctx.sql, user.id)
  for (const { id, state } of rows) {
    const to = state === 'pending' ? 'failed' : 'deleted'
    await ctx.write((tx, emit) => settleExport(ctx, tx, emit, { id, to }))
  }
  return false
}

const deleteRows: Step = async ({ sql }, user) =>
  ((await sql.begin(tx => deletePersonalRows(tx, user.id))) as number) > 0

const redact: Step = async ({ sql }, user) => ((await sql.begin(tx => redactAuditLog(tx, user.id))) as number) > 0

const steps: readonly Step[] = [
  removeReactions,
  endSubscriptions,
  eraseArchive,
  removeFiles,
  deleteArchives,
  deleteRows,
  redact,
]
