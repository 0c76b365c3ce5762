import { lchown, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a directory, and those above it that are missing; does nothing if it exists. Each new one belongs to the owner of the directory
 * that contains it.
 *
 * Not `mkdir` with `recursive`: below /proc, where nothing can be created, Node tries again without end.
 * @throws the error of the system
 */
export async function createDirectory(path: string, mode?: number): Promise<void> {
  if (await isDirectory(path)) return
  const parent = dirname(path)
  if (parent !== path) await createDirectory(parent, mode)
  try {
    await mkdir(path, { mode })
  } catch (error) {
    // Another process or worker may have created it.
    if (await isDirectory(path)) return
    throw error
  }
  await inheritOwner(path)
}

/**
 * Gives a new file or directory to the owner of the directory that contains it. Only root can, and has to: what a command of root creates in
 * DATA_DIR would be closed to the server, which runs as another account.
 */
export async function inheritOwner(path: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(dirname(path))
  // `lchown`: the owner of the directory could replace the path by a link to a file of another account.
  if (uid !== 0) await lchown(path, uid, gid)
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true
}
