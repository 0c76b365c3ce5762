import type { Socket } from 'node:net'
import { networkOf, plainAddress } from '../config/addresses.js'

// Also of a client that sends a byte now and then.
const longestMs = 600_000

/** The other end of a connection, as a socket and as an SMTP session name it. */
interface Client {
  readonly remoteAddress?: string | undefined
  readonly remotePort?: number | undefined
}

/** Bounds how many connections a network has at once, and how long each lasts. */
export class Connections {
  /** Open ones by network. */
  private readonly open = new Map<string, number>()
  /** Timers of those without a recipient. */
  private readonly unproven = new Map<string, NodeJS.Timeout>()

  /**
   * @param mostOf how many the network of an address may have
   * @param unprovenMs how long a connection without a recipient may last
   */
  constructor(
    private readonly mostOf: (address: string) => number,
    private readonly unprovenMs: number,
  ) {}

  /** Ends a connection that lasts too long, and one beyond those of its network. */
  add(socket: Socket): void {
    const { remoteAddress, remotePort } = socket
    const address = plainAddress(remoteAddress ?? '') ?? ''
    const network = networkOf(address)
    const open = (this.open.get(network) ?? 0) + 1
    this.open.set(network, open)
    const end = () => socket.destroy()
    const timer = setTimeout(end, longestMs)
    this.unproven.set(keyOf(socket), setTimeout(end, this.unprovenMs))
    socket.once('close', () => {
      clearTimeout(timer)
      this.keep({ remoteAddress, remotePort })
      const left = (this.open.get(network) ?? 1) - 1
      if (left > 0) this.open.set(network, left)
      else this.open.delete(network)
    })
    if (open > this.mostOf(address)) socket.destroy()
  }

  /** This client has named a recipient. */
  keep(client: Client): void {
    const key = keyOf(client)
    clearTimeout(this.unproven.get(key))
    this.unproven.delete(key)
  }
}

const keyOf = ({ remoteAddress = '', remotePort }: Client): string => `${plainAddress(remoteAddress)} ${remotePort}`
