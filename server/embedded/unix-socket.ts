import { rmSync } from 'node:fs'
import { connect } from 'node:net'

// What the kernel's structure for an address has room for, without the zero at its end; on macOS and BSD it is four less.
const longestPath = process.platform === 'linux' ? 107 : 103

/** Whether a Unix socket can have this path. DATA_DIR may be longer than the kernel allows. */
export const fitsSocket = (path: string): boolean => Buffer.byteLength(path) <= longestPath

/** Removes a socket and its lock that a killed server left: nobody runs on this directory any more. */
export function removeSocket(path: string): void {
  for (const file of [path, `${path}.lock`]) rmSync(file, { force: true })
}

/** The path, if this process gets through to who listens there: its account may be unable to walk to it. */
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
