import { rmSync } from 'node:fs'
import { connect } from 'node:net'

// Bytes of `sun_path` without the terminating zero; macOS and BSD have four bytes less than Linux.
const longestPath = process.platform === 'linux' ? 107 : 103

/** Whether a Unix socket can have this path: with a long DATA_DIR it exceeds the kernel's limit. */
export const fitsSocket = (path: string): boolean => Buffer.byteLength(path) <= longestPath

/** Removes the socket and its lock file of a killed server; the caller knows that no server runs on this directory. */
export function removeSocket(path: string): void {
  for (const file of [path, `${path}.lock`]) rmSync(file, { force: true })
}

/** The path, if this process can connect to it: its account may lack access to the directories above. */
export function reachableSocket(path: string): Promise<string | undefined> {
  if (!fitsSocket(path)) return Promise.resolve(undefined)
  return new Promise(resolve => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(path)
    })
    socket.once('error', () => resolve(undefined))
  })
}
