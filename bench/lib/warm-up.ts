import type { Account } from './load-protocol.js'
import { makeChannel } from './people.js'
import type { RealServer } from './real-server.js'
import { senderFor } from './sender.js'

// After so many V8 has compiled the way of a message; with thousands of queues a measurement by itself sends some dozens.
const enough = 2000
// A measurement that only shows that all works does without.
const deliveriesForEach = 50

/**
 * Sends messages that only their sender may read, so that what is measured is a server that has been running for a while, as
 * the floor is, which was compiled before. To be called before anybody has a queue. `deliveries`: of a run that is measured.
 */
export async function warmUp(server: RealServer, sender: Account, deliveries: number): Promise<void> {
  const channelId = await makeChannel(server, sender, 'warming up', [sender])
  const send = senderFor({
    name: 'parley',
    host: '127.0.0.1',
    port: Number(server.url.port),
    codec: 'json',
    isFloor: false,
    accounts: [],
    sender,
    channelId,
    textLength: 594,
    ackMs: 0,
  })
  const messages = Math.min(enough, deliveries / deliveriesForEach)
  for (let number = 1; number <= messages; number++) await send(number)
}
