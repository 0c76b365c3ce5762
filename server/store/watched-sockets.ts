import { Socket } from 'node:net'
import { PoolSocket } from './pool-socket.js'

/** What the driver tells of where to connect. */
interface Target {
  readonly host: readonly string[]
  readonly port: readonly number[]
  readonly path?: string | false
  readonly ssl?: unknown
}

interface Watched {
  readonly heard: number
  readonly sent: number
  /** Since when it owes an answer, if it does. */
  readonly since: number
  readonly heardAt: number
}

const lookEveryMs = 1000

/**
 * Makes the connections of a pool, and ends those that have been asked something and keep silent: a network that swallows
 * packets tells nobody, and the kernel would wait a quarter of an hour while every request waits with it. `connections` holds
 * those that there are.
 */
export function watchedSockets(silenceMs: number, connections = new Set<Socket>()): (target: Target) => Socket {
  const open = new Map<Socket, Watched>()
  let next = 0
  let timer: NodeJS.Timeout | undefined

  /** With the one that owes an answer go those that rested meanwhile: each of them would cost a request as long a wait. */
  const giveUp = (now: number) => {
    for (const [socket, watched] of open) {
      const { heardAt, since } = watched
      const isWaiting = isOwed(socket, watched) && now - since <= silenceMs
      if (isWaiting || now - heardAt <= silenceMs) continue
      socket.destroy(Object.assign(new Error('The database keeps silent.'), { code: 'ETIMEDOUT' }))
    }
  }

  const look = () => {
    const now = performance.now()
    for (const [socket, watched] of open) {
      const { bytesRead, bytesWritten } = socket
      if (bytesRead !== watched.heard || !isOwed(socket, watched)) {
        const heardAt = bytesRead === watched.heard ? watched.heardAt : now
        open.set(socket, { heard: bytesRead, sent: bytesWritten, since: now, heardAt })
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
    // With TLS the driver listens to a socket of its own above this one, which has to end as they all do.
    const socket = ssl ? new Socket() : new PoolSocket()
    if (path) socket.connect(path)
    else socket.connect(port[at] as number, host[at] as string)
    // The driver reads it: certificates are for names.
    Object.assign(socket, { host: host[at], port: port[at] })
    const now = performance.now()
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
    open.set(socket, { heard: 0, sent: 0, since: now, heardAt: now })
    timer ??= setInterval(look, lookEveryMs).unref()
    return socket
  }
}

/** Below TLS only what was written since the last look can be seen. */
function isOwed(socket: Socket, { sent }: Watched): boolean {
  return socket instanceof PoolSocket ? socket.isOwed : socket.bytesWritten !== sent
}
