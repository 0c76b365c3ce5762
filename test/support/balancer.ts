import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Teardown } from './services.js'

/**
 * A plain TCP balancer: each new connection goes to the next server; one that refuses is skipped; the balancer does not
 * inspect the traffic.
 */
export class Balancer {
  private readonly ports: number[] = []
  private readonly sockets = new Set<Socket>()
  /** Number of connections per server, by port. */
  readonly given = new Map<number, number>()
  private next = 0

  private constructor(readonly url: string) {}

  static async start(t: Teardown): Promise<Balancer> {
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const balancer = new Balancer(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    server.on('connection', client => balancer.join(client, balancer.ports.length))
    t.teardown(() => {
      for (const socket of balancer.sockets) socket.destroy()
      return new Promise(resolve => server.close(resolve))
    })
    return balancer
  }

  add({ url }: { url: string }): void {
    this.ports.push(Number(new URL(url).port))
  }

  /** New connections go to other servers; present ones stay open until they are closed. */
  remove({ url }: { url: string }): void {
    this.ports.splice(this.ports.indexOf(Number(new URL(url).port)), 1)
  }

  private join(client: Socket, tries: number): void {
    const port = this.ports[this.next++ % this.ports.length]
    if (port === undefined || tries === 0) {
      client.on('error', () => undefined)
      client.resetAndDestroy()
      return
    }
    const server = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    server.once('error', () => this.join(client, tries - 1))
    server.once('connect', () => {
      server.removeAllListeners('error')
      this.given.set(port, (this.given.get(port) ?? 0) + 1)
      for (const [from, to] of [
        [client, server],
        [server, client],
      ] as const) {
        this.sockets.add(from)
        from.setNoDelay(true)
        from.on('error', () => to.resetAndDestroy())
        from.on('close', () => this.sockets.delete(from))
        from.pipe(to)
      }
    })
  }
}
