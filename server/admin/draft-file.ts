import { createWriteStream, rmSync, type WriteStream } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AdminError } from './admin-error.js'

/**
 * Writes a file that appears under its name only when it is whole and on the disk, readable for its owner only. `write` fills the stream and
 * ends it.
 * @throws {AdminError} if the file cannot be written; the errors of the source
 * @param give changes the owner of the file before it appears, if another account shall have it
 */
export async function writeWhole(
  file: string,
  write: (draft: WriteStream) => Promise<void>,
  give: (draft: string) => Promise<void> | undefined,
): Promise<void> {
  const draft = `${file}.${process.pid}.part`
  const remove = () => rmSync(draft, { force: true })
  // Also when the process exits early, for example on Ctrl-C.
  process.once('exit', remove)
  try {
    await write(createWriteStream(draft, { mode: 0o600, flush: true }))
    await give(draft)
    await rename(draft, file)
    await syncDirectory(dirname(file))
  } catch (error) {
    throw isOfFile(error) ? new AdminError(`${file} cannot be written: ${error.message}.`) : error
  } finally {
    remove()
    process.off('exit', remove)
  }
}

/** Errors of the source, for example of a connection, have other names. */
const calls: ReadonlySet<unknown> = new Set(['open', 'write', 'fsync', 'close', 'lchown', 'rename'])

const isOfFile = (error: unknown): error is Error => calls.has((error as { syscall?: unknown }).syscall)

/** A rename outlives a power failure once the directory is on the disk. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
