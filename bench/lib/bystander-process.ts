import { setTimeout as sleep } from 'node:timers/promises'
import type { Bystanding, Stalls } from './bystanders.js'
import type { Account } from './load-protocol.js'
import { RawSocket } from './raw-socket.js'
import { senderFor } from './sender.js'
import { serve } from './serve.js'
import { percentile } from './statistics.js'

const everyMs = 20
const reconnectMs = 3000

/** Clients outside the measured load that detect when the server stalls. */
class Clients {
  private readonly sentAt = new Map<number, number>()
  private send: (number: number) => Promise<void>
  private number = 0
  private deliveries: number[] = []
  private longestSend = 0

  constructor(private readonly given: Bystanding) {
    this.send = this.sender()
  }

  async open(): Promise<void> {
    for (const account of this.given.accounts.slice(1)) await this.read(account)
    void this.talk()
  }

  look(): Stalls {
    const waits = Float64Array.from(this.deliveries)
    const waitOf = (share: number) => (waits.length > 0 ? percentile(waits, share) : 0)
    const stalls = {
      longestDelivery: waitOf(1),
      medianDelivery: waitOf(0.5),
      p99Delivery: waitOf(0.99),
      longestSend: this.longestSend,
    }
    this.deliveries = []
    this.longestSend = 0
    return stalls
  }

  private sender(): (number: number) => Promise<void> {
    const { port, accounts, channelId } = this.given
    return senderFor({ port, isFloor: false, sender: accounts[0] as Account, channelId, textLength: 60 })
  }

  private async talk(): Promise<void> {
    for (;;) {
      const number = ++this.number
      const at = performance.now()
      this.sentAt.set(number, at)
      this.sentAt.delete(number - 1000)
      try {
        await this.send(number)
        this.longestSend = Math.max(this.longestSend, performance.now() - at)
      } catch {
        // The connection was to the worker that was killed.
        this.send = this.sender()
      }
      await sleep(Math.max(0, everyMs - (performance.now() - at)))
    }
  }

  private async read(account: Account): Promise<void> {
    const { port } = this.given
    const socket = new RawSocket({
      port,
      account,
      onFrame: payload => this.received(payload),
      // The reader's worker was killed: the reader registers again after reconnectMs.
      onEnd: () => void sleep(reconnectMs).then(() => this.read(account)),
    })
    await socket.opened
    const params = { event_types: ['message'], fetch_event_types: [], apply_markdown: true }
    socket.send({ op: 'register', id: 1, params })
  }

  private received(payload: Buffer): void {
    const now = performance.now()
    for (const [, number] of payload.toString('latin1').matchAll(/event (\d{7})/g)) {
      const sent = this.sentAt.get(Number(number))
      if (sent === undefined) continue
      this.deliveries.push(now - sent)
    }
  }
}

// A separate process, so that its delays come from the server and not from other clients.
let clients: Clients | undefined

serve(async ({ open }: { readonly open?: Bystanding }) => {
  if (!open) return { stalls: clients?.look() }
  clients = new Clients(open)
  await clients.open()
  return {}
})
