import type { Account } from './load-protocol.js'
import { makeChannel } from './people.js'
import type { RealServer } from './real-server.js'
import { senderFor } from './sender.js'

// Messages after which V8 has compiled the code path; a measurement with thousands of queues sends only dozens.
const enough = 2000
// A run that only shows that the scenario works needs no warm-up.
const deliveriesForEach = 50

/**
 * Sends messages that only their sender receives, so that the measured server has compiled code, as the native floor
 * has. Call it before any queue exists. `deliveries`: of a measured run.
 */
export async function warmUp(server: RealServer, sender: Account, deliveries: number): Promise<void> {
  const channelId = await makeChannel(server, sender, 'warming up', [sender])
  const send = senderFor({ port: Number(server.url.port), isFloor: false, sender, channelId, textLength: 594 })
  const messages = Math.min(enough, deliveries / deliveriesForEach)
  for (let number = 1; number <= messages; number++) await send(number)
}
