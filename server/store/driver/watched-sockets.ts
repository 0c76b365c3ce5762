import { Socket } from 'node:net'
import { PoolSocket } from './pool-socket.js'

/** The address that the driver passes for a new connection. */
interface Target {
  readonly host: readonly string[]
  readonly port: readonly number[]
  readonly path?: string | false
  readonly ssl?: unknown
}

interface Watched {
  readonly bytesRead: number
  readonly bytesWritten: number
  /** When the watch last saw data from the socket or nothing outstanding, by `performance.now()`. */
  readonly since: number
  readonly receivedAt: number
}

const lookEveryMs = 1000

/**
 * Creates the sockets of a pool, and closes those that get no answer for `silenceMs`: when a network drops packets, the kernel
 * retries for 15 minutes, and requests would wait that long. `connections` gets the open sockets.
 */
export function watchedSockets(silenceMs: number, connections = new Set<Socket>()): (target: Target) => Socket {
  const open = new Map<Socket, Watched>()
  let next = 0
  let timer: NodeJS.Timeout | undefined

  /** Closes the silent socket and all idle ones without data for as long: each of them would make another request wait as long. */
  const giveUp = (now: number) => {
    for (const [socket, watched] of open) {
      const { receivedAt, since } = watched
      const isWaiting = isOwed(socket, watched) && now - since <= silenceMs
      if (isWaiting || now - receivedAt <= silenceMs) continue
      socket.destroy(Object.assign(new Error('The database keeps silent.'), { code: 'ETIMEDOUT' }))
    }
  }

  const look = () => {
    const now = performance.now()
    for (const [socket, watched] of open) {
      const { bytesRead, bytesWritten } = socket
      if (bytesRead !== watched.bytesRead || !isOwed(socket, watched)) {
        const receivedAt = bytesRead === watched.bytesRead ? watched.receivedAt : now
        open.set(socket, { bytesRead, bytesWritten, since: now, receivedAt })
      } else if (now - watched.since > silenceMs) {
        giveUp(now)
      }
      if (socket.destroyed) open.delete(socket)
    }
    if (open.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return ({ host, port, path, ssl }) => {
    const at = next++ % host.length
    // With TLS the driver uses its own TLS socket above this one, which then has to close like any plain socket.
    const socket = ssl ? new Socket() : new PoolSocket()
    if (path) socket.connect(path)
    else socket.connect(port[at] as number, host[at] as string)
    // The driver reads host and port from the socket, to check the name in the certificate.
    Object.assign(socket, { host: host[at], port: port[at] })
    const now = performance.now()
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
    open.set(socket, { bytesRead: 0, bytesWritten: 0, since: now, receivedAt: now })
    timer ??= setInterval(look, lookEveryMs).unref()
    return socket
  }
}

/** Whether the socket waits for an answer. Below TLS only writes since the last look are visible. */
function isOwed(socket: Socket, { bytesWritten }: Watched): boolean {
  return socket instanceof PoolSocket ? socket.isOwed : socket.bytesWritten !== bytesWritten
}
