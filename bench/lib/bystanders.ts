import { Child } from './child.js'
import { medianOf } from './figures.js'
import type { Account } from './load-protocol.js'
import { makeChannel } from './people.js'
import type { RealServer } from './real-server.js'
import type { ResultTable } from './result.js'
import type { Undo } from './undo.js'

export interface Bystanding {
  readonly port: number
  /** The first one sends, the others read. */
  readonly accounts: readonly Account[]
  readonly channelId: number
}

/** In ms, since the previous call. */
export interface Stalls {
  /** From sending a message to its receipt, by all readers that stayed connected. */
  readonly longestDelivery: number
  /** 0 without deliveries. */
  readonly medianDelivery: number
  readonly p99Delivery: number
  readonly longestSend: number
}

/** Clients outside the measured load that detect when the server stalls: one sends a message every 20 ms, the others read. */
export class Bystanders extends Child<{ readonly open?: Bystanding }, { readonly stalls?: Stalls }> {
  /** `accounts`: at least two; the first one is an owner, and sends. */
  static async start(undo: Undo, server: RealServer, accounts: readonly Account[]) {
    const bystanders = new Bystanders(undo, 'lib/bystander-process')
    const channelId = await makeChannel(server, accounts[0] as Account, `aside ${bystanders.pid}`, accounts)
    await bystanders.ask({ open: { port: server.port, accounts, channelId } })
    return bystanders
  }

  /** Since the previous call. */
  async stalls(): Promise<Stalls> {
    return (await this.ask({})).stalls as Stalls
  }
}

/** What bystanders waited, by the name of the time: medians of rounds. */
export const stallsTable = (title: string, times: readonly (readonly [string, readonly Stalls[]])[]): ResultTable => ({
  title,
  columns: ['p50 ms', 'p99 ms', 'longest ms', 'longest send ms'],
  rows: times.map(([name, rounds]) => [
    name,
    ...(['medianDelivery', 'p99Delivery', 'longestDelivery', 'longestSend'] as const).map(figure =>
      medianOf(rounds, one => one[figure]),
    ),
  ]),
})
