import { randomBytes } from 'node:crypto'
import { ApiError } from '../../../shared/errors.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { logFailure } from '../../failures/log-failure.js'
import { realmSetting } from '../../policies/settings.js'
import { roomOn } from '../../storage/disk-room.js'
import { fullMessage, StorageFailure } from '../../storage/storage-failure.js'
import type { Tx } from '../../store/driver/db.js'
import { insertUpload, keepUpload, type NewUpload } from '../../store/files/resumable-uploads.js'
import {
  deleteReservation,
  insertReservation,
  lockSpace,
  readSpaceUse,
  type SpaceUse,
} from '../../store/files/upload-reservations.js'

const keepEveryMs = 3000
const mib = 1024 * 1024

/**
 * Begins a resumable upload. From now until it ends it counts with its whole length.
 * @throws {ApiError} BAD_REQUEST (429) beyond the budget of unfinished ones, REALM_UPLOAD_QUOTA; {StorageFailure} if the disk has no room
 */
export async function reserveUpload(ctx: Ctx, upload: NewUpload): Promise<void> {
  const room = await roomOf(ctx)
  await lockedSpace(ctx, upload.user_id, async tx => {
    const use = await readSpaceUse(tx, upload.user_id)
    if (use.unfinished >= budgets.unfinishedUploads.most) {
      throw new ApiError('BAD_REQUEST', 'Too many of your uploads are unfinished: end one.', {}, 429)
    }
    requireQuota(ctx, use, upload.length)
    // The parts, and then the file.
    requireRoom(room, use, 2 * upload.length)
    await insertUpload(tx, upload)
  })
}

/**
 * Runs `work`, which stores a form of about this length, while the space for it is reserved. `work` calls `settle` in the transaction that
 * makes the bytes a file.
 * @throws {ApiError} REALM_UPLOAD_QUOTA; {StorageFailure} if the disk has no room
 */
export async function whileReserved<T>(
  ctx: Ctx,
  userId: number,
  length: number,
  work: (settle: (tx: Tx, size: number) => Promise<void>) => Promise<T>,
): Promise<T> {
  const room = await roomOf(ctx)
  const key = await lockedSpace(ctx, userId, async tx => {
    const use = await readSpaceUse(tx, userId)
    requireQuota(ctx, use, length)
    requireRoom(room, use, length)
    return insertReservation(tx, userId, randomBytes(18).toString('base64url'), length)
  })
  const timer = setInterval(() => {
    keepUpload(ctx.sql, key, key).catch(error => logFailure(ctx, error, 'the space of a form may be given away'))
  }, keepEveryMs)
  try {
    return await work((tx, size) => settleForm(ctx, tx, { userId, key, size }))
  } catch (error) {
    await deleteReservation(ctx.sql, key).catch(failure =>
      logFailure(ctx, failure, 'the space of a refused upload stays reserved for some seconds'),
    )
    throw error
  } finally {
    clearInterval(timer)
  }
}

/** Runs a transaction that holds the space of files. */
function lockedSpace<T>({ workLimits, sql }: Ctx, userId: number, work: (tx: Tx) => Promise<T>): Promise<T> {
  const transaction = async (tx: Tx) => {
    await lockSpace(tx)
    return work(tx)
  }
  // The cast: the driver describes the results of several statements, too.
  return workLimits.spaceChecks.run(userId, () => sql.begin(transaction) as Promise<T>)
}

/** The size is known now. It may exceed the reservation, which may also have ended. @throws {ApiError} REALM_UPLOAD_QUOTA */
async function settleForm(
  ctx: Ctx,
  tx: Tx,
  { userId, key, size }: { readonly userId: number; readonly key: string; readonly size: number },
): Promise<void> {
  await lockSpace(tx)
  await deleteReservation(tx, key)
  requireQuota(ctx, await readSpaceUse(tx, userId), size)
}

function requireQuota({ config, directory }: Ctx, { own, all, quotaMib }: SpaceUse, size: number): void {
  const quota = realmSetting(directory, 'upload_quota_mib')
  if (quota !== null && all + size > quota * mib) {
    throw new ApiError('REALM_UPLOAD_QUOTA', 'Upload would exceed your organization\u2019s upload quota.')
  }
  const ownQuota = quotaMib ?? config.uploadQuotaUserMib
  if (ownQuota > 0 && own + size > ownQuota * mib) {
    throw new ApiError('REALM_UPLOAD_QUOTA', 'Upload would exceed the space for files of your account.')
  }
}

/** Bytes that uploads may take of the disk; Infinity: the store does not say. @throws {StorageFailure} */
async function roomOf({ storage }: Ctx): Promise<number> {
  const disk = await storage.space()
  return disk ? roomOn(disk) : Number.POSITIVE_INFINITY
}

function requireRoom(room: number, { toCome }: SpaceUse, size: number): void {
  if (toCome + size > room) throw new StorageFailure(fullMessage, undefined)
}
