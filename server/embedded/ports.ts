import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** The error code that listening on the port would give, such as EADDRINUSE; undefined if listening is possible. */
export function refusalToListen(port: number, host = '127.0.0.1'): Promise<string | undefined> {
  return new Promise(resolve => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(undefined)))
  })
}

/** Whether this process can listen on the port. */
export async function isFree(port: number): Promise<boolean> {
  return (await refusalToListen(port)) === undefined
}

/**
 * A free port: the preferred one if possible. A new port is never in the range that the kernel uses for outgoing connections (from
 * 32768 on): there a client that reconnects to a stopped server can connect to itself and so block the server's port.
 */
export async function freePort(preferred?: number, host = '127.0.0.1'): Promise<number> {
  let port = preferred ?? randomInt(15_000, 32_000)
  while ((await refusalToListen(port, host)) === 'EADDRINUSE') port = randomInt(15_000, 32_000)
  return port
}
