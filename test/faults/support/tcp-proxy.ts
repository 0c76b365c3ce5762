import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Teardown } from '../../support/services.js'

interface Pair {
  readonly client: Socket
  readonly server: Socket
  /** No byte passes any more, and nobody is told. */
  isForgotten: boolean
}

/** `both`, or answers alone: what is asked arrives, and who asked never hears of it. */
type Direction = 'both' | 'answers'

/** A stretch of network that a test can break: forwards TCP connections on loopback to one server. */
export class TcpProxy {
  readonly #pairs = new Set<Pair>()
  readonly #server: Server
  #cut: Direction | undefined
  #isRefusing = false
  #delay = 0

  private constructor(server: Server) {
    this.#server = server
  }

  /** In front of the server that this URL leads to; `url` leads there through the proxy. */
  static async before(t: Teardown, url: string): Promise<{ proxy: TcpProxy; url: string }> {
    const shown = new URL(url)
    const port = Number(shown.port)
    // Half open, so that the end of one direction is passed on and not made up.
    const server = createServer({ allowHalfOpen: true })
    const proxy = new TcpProxy(server)
    server.on('connection', client => proxy.#join(client, port))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    t.teardown(() => proxy.#close())
    shown.host = `127.0.0.1:${(server.address() as { port: number }).port}`
    return { proxy, url: shown.href.replace(/\/$/, '') }
  }

  get connections(): number {
    return this.#pairs.size
  }

  /** Our own ports of the connections to the server. */
  get ports(): number[] {
    return [...this.#pairs].map(({ server }) => server.localPort ?? 0)
  }

  /** As if a cable were pulled: nothing arrives and nobody is told. What was sent meanwhile arrives after `heal`. */
  cut(direction: Direction = 'both'): void {
    this.#cut = direction
    for (const pair of this.#pairs) this.#apply(pair)
  }

  /** As a firewall that has forgotten its connections: those of now stay dead for good, new ones pass after `heal`. */
  forget(): void {
    this.cut()
    for (const pair of this.#pairs) pair.isForgotten = true
  }

  /** Every connection breaks with a reset, and new ones are reset until `heal`. */
  reset(): void {
    this.#isRefusing = true
    for (const pair of this.#pairs) this.#break(pair)
  }

  heal(): void {
    this.#cut = undefined
    this.#isRefusing = false
    for (const pair of this.#pairs) this.#apply(pair)
  }

  /** From now on each piece arrives that much later. */
  delay(milliseconds: number): void {
    this.#delay = milliseconds
  }

  #join(client: Socket, port: number): void {
    if (this.#isRefusing) {
      client.on('error', () => undefined)
      client.resetAndDestroy()
      return
    }
    const server = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const pair: Pair = { client, server, isForgotten: false }
    this.#pairs.add(pair)
    this.#pass(pair, client, server)
    this.#pass(pair, server, client)
    this.#apply(pair)
  }

  #pass(pair: Pair, from: Socket, to: Socket): void {
    from.setNoDelay(true)
    let sent = Promise.resolve()
    from.on('data', data => {
      if (this.#delay === 0) {
        to.write(data)
        return
      }
      // One after the other: a delay that ends must not let later bytes overtake earlier ones.
      const due = sleep(this.#delay)
      sent = sent.then(() => due).then(() => void to.write(data))
    })
    from.on('end', () => void sent.then(() => to.end()))
    // A server that is down refuses: so do we.
    from.on('error', () => this.#break(pair))
    from.on('close', () => {
      if (pair.client.destroyed && pair.server.destroyed) this.#pairs.delete(pair)
    })
  }

  /** Unread bytes stay with the kernel, as those that a network does not deliver stay with the sender's. */
  #apply(pair: Pair): void {
    const isCut = pair.isForgotten ? 'both' : this.#cut
    if (isCut === 'both') pair.client.pause()
    else pair.client.resume()
    if (isCut === undefined) pair.server.resume()
    else pair.server.pause()
  }

  #break(pair: Pair): void {
    this.#pairs.delete(pair)
    pair.client.resetAndDestroy()
    pair.server.resetAndDestroy()
  }

  async #close(): Promise<void> {
    for (const pair of this.#pairs) this.#break(pair)
    await new Promise(resolve => this.#server.close(resolve))
  }
}
