import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { badRequest } from '../../../shared/errors.js'
import type { Ctx } from '../../ctx.js'
import type { FilePart } from '../../params/file-part.js'
import { announceFile, releaseFiles } from '../../store/files/loose-files.js'

/** Largest file that becomes a picture, in bytes (`max_avatar_file_size_mib` and the like). */
export const mostPictureBytes = 5 * 1024 * 1024
/** Largest body of such a request. */
export const mostPictureBody = (): number => mostPictureBytes + 65_536

/** The one file of a form. @throws {ApiError} BAD_REQUEST */
export function onlyPicture(files: readonly FilePart[]): Buffer {
  const [file, ...more] = files
  if (!file || more.length > 0) throw badRequest('You must upload exactly one file.')
  if (file.bytes.length > mostPictureBytes) throw badRequest('Uploaded file is larger than the allowed limit of 5 MiB')
  return file.bytes
}

/** A path below `/user_avatars/` that cannot be guessed, without an extension; `folder` is empty or ends in a slash. */
export const newPicturePath = (folder = ''): string => `1/${folder}${randomBytes(20).toString('hex')}`

/** The key of a picture in the store of files. */
export const pictureKey = (path: string): string => `user_avatars/${path}`

/**
 * Stores bytes by their keys and then runs `use`, whose transaction adopts the keys. If it fails, the bytes are removed.
 * @throws {StorageFailure}; the error of `use`
 */
export async function withStored<T>(
  ctx: Pick<Ctx, 'sql' | 'storage'>,
  files: Readonly<Record<string, Buffer>>,
  use: (keys: readonly string[]) => Promise<T>,
): Promise<T> {
  const keys = Object.keys(files)
  try {
    for (const [key, bytes] of Object.entries(files)) {
      await announceFile(ctx.sql, key)
      await ctx.storage.write(key, Readable.from([bytes]))
    }
    return await use(keys)
  } catch (error) {
    await releaseFiles(ctx.sql, keys).catch(() => undefined)
    throw error
  }
}

/** Stores pictures by their paths below `/user_avatars/`, as `withStored` does. */
export const withPictures = <T>(
  ctx: Ctx,
  pictures: Readonly<Record<string, Buffer>>,
  use: (keys: readonly string[]) => Promise<T>,
): Promise<T> =>
  withStored(ctx, Object.fromEntries(Object.entries(pictures).map(([path, bytes]) => [pictureKey(path), bytes])), use)
