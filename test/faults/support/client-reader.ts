import WebSocket from 'ws'
import { type Client, type ConnectOptions, connect } from '../../../shared/client/index.js'
import type { Codec } from '../../../shared/wire/codec.js'
import type { WireEvent } from '../../../shared/wire/frames.js'
import { quick } from '../../support/client-log.js'
import type { Person } from '../../support/people.js'
import { messagesOnly } from './queue.js'
import { Reader } from './reader.js'

/** The client package, which reconnects by itself. */
export class ClientReader extends Reader {
  readonly client: Client
  /** Number of closed sockets, by close code. */
  readonly closings: Record<number, number> = {}
  /** The sockets that are open or opening. */
  readonly sockets = new Set<WebSocket>()

  private isStopped = false

  private constructor(name: string, sees: ReadonlySet<string>, options: ConnectOptions) {
    super(name, sees)
    const { closings, sockets } = this
    const isStopped = () => this.isStopped
    class Watched extends WebSocket {
      constructor(url: string, protocols: string[]) {
        super(url, protocols)
        sockets.add(this)
        this.on('close', code => {
          sockets.delete(this)
          if (!isStopped()) closings[code] = (closings[code] ?? 0) + 1
        })
      }
    }
    this.client = connect({ ...quick, ...options, webSocket: Watched })
    this.client.on('*', event => this.handle(event as unknown as WireEvent))
    this.client.observe('restarted', ({ queue_id }) => {
      this.lose(`it was given a new queue, ${queue_id}`)
    })
    this.client.observe('error', error => this.complaints.push(String(error)))
  }

  static async start(
    name: string,
    sees: ReadonlySet<string>,
    { url, email, api_key }: Person,
    { codec, options = {} }: { readonly codec: Codec; readonly options?: Partial<ConnectOptions> },
  ): Promise<ClientReader> {
    const reader = new ClientReader(name, sees, {
      url,
      email,
      apiKey: api_key,
      codec,
      register: messagesOnly,
      ...options,
    })
    await reader.client.registered
    return reader
  }

  async stop(): Promise<void> {
    this.isStopped = true
    await this.client.close()
  }
}
