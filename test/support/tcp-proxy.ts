import { connect, createServer, type Server, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Teardown } from './services.js'

interface Pair {
  readonly client: Socket
  readonly server: Socket
  /** Drops all bytes without closing the connection. */
  isForgotten: boolean
}

/** `both`, or only answers: requests arrive, but their answers do not. */
type Direction = 'both' | 'answers'

/** Timers have a resolution of one ms: for less, each turn of the event loop looks at the clock. */
async function pause(ms: number): Promise<void> {
  if (ms >= 1) return sleep(ms)
  const end = performance.now() + ms
  while (performance.now() < end) await nextTurn()
}

/** A network link that a test can break: forwards TCP connections on loopback to one server. */
export class TcpProxy {
  private readonly pairs = new Set<Pair>()
  private _cut: Direction | undefined
  private isRefusing = false
  private _delay = 0

  private constructor(private readonly server: Server) {}

  /** Starts a proxy for the server of this URL; the returned `url` leads through the proxy. */
  static async before(t: Teardown, url: string): Promise<{ proxy: TcpProxy; url: string }> {
    const shown = new URL(url)
    const port = Number(shown.port)
    // Half open, so that the proxy forwards the end of each direction separately.
    const server = createServer({ allowHalfOpen: true })
    const proxy = new TcpProxy(server)
    server.on('connection', client => proxy.join(client, port))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    t.teardown(() => proxy.close())
    shown.host = `127.0.0.1:${(server.address() as { port: number }).port}`
    return { proxy, url: shown.href.replace(/\/$/, '') }
  }

  get connections(): number {
    return this.pairs.size
  }

  /** Local ports of the proxy's connections to the server. */
  get ports(): number[] {
    return [...this.pairs].map(({ server }) => server.localPort ?? 0)
  }

  /** Like an unplugged cable: bytes are held back without closing connections, and arrive after `heal`. */
  cut(direction: Direction = 'both'): void {
    this._cut = direction
    for (const pair of this.pairs) this.apply(pair)
  }

  /** Like a firewall that lost its state: present connections stay dead, new ones work after `heal`. */
  forget(): void {
    this.cut()
    for (const pair of this.pairs) pair.isForgotten = true
  }

  /** Resets all connections, and new ones until `heal`. */
  reset(): void {
    this.isRefusing = true
    for (const pair of this.pairs) this.break(pair)
  }

  heal(): void {
    this._cut = undefined
    this.isRefusing = false
    for (const pair of this.pairs) this.apply(pair)
  }

  /** Delays each chunk by this many ms. */
  delay(milliseconds: number): void {
    this._delay = milliseconds
  }

  private join(client: Socket, port: number): void {
    if (this.isRefusing) {
      client.on('error', () => undefined)
      client.resetAndDestroy()
      return
    }
    const server = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const pair: Pair = { client, server, isForgotten: false }
    this.pairs.add(pair)
    this.pass(pair, client, server)
    this.pass(pair, server, client)
    this.apply(pair)
  }

  private pass(pair: Pair, from: Socket, to: Socket): void {
    from.setNoDelay(true)
    let sent = Promise.resolve()
    from.on('data', data => {
      if (this._delay === 0) {
        to.write(data)
        return
      }
      // In order: a shorter delay must not let later bytes overtake earlier ones.
      const due = pause(this._delay)
      sent = sent.then(() => due).then(() => void to.write(data))
    })
    from.on('end', () => void sent.then(() => to.end()))
    // If the server is down, the proxy refuses connections, too.
    from.on('error', () => this.break(pair))
    from.on('close', () => {
      if (pair.client.destroyed && pair.server.destroyed) this.pairs.delete(pair)
    })
  }

  /** Unread bytes stay in the kernel, so that senders are blocked as by a real network. */
  private apply(pair: Pair): void {
    const isCut = pair.isForgotten ? 'both' : this._cut
    if (isCut === 'both') pair.client.pause()
    else pair.client.resume()
    if (isCut === undefined) pair.server.resume()
    else pair.server.pause()
  }

  private break(pair: Pair): void {
    this.pairs.delete(pair)
    pair.client.resetAndDestroy()
    pair.server.resetAndDestroy()
  }

  private async close(): Promise<void> {
    for (const pair of this.pairs) this.break(pair)
    await new Promise(resolve => this.server.close(resolve))
  }
}
