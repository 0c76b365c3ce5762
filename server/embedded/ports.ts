import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Whether nobody listens on the port. */
export function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise(resolve => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)))
  })
}

/**
 * A free port: the preferred one if possible. Never one of the range that the kernel takes for outgoing connections
 * (from 32768 on): there a client that reconnects to a server that is down may end up connected to itself, and keep
 * the port from the server.
 */
export async function freePort(preferred?: number, host = '127.0.0.1'): Promise<number> {
  let port = preferred ?? randomInt(15_000, 32_000)
  while (!(await isFree(port, host))) port = randomInt(15_000, 32_000)
  return port
}
