import { setTimeout as sleep } from 'node:timers/promises'
import type { Deeds } from './deeds.js'
import { caughtUp, type Reading } from './reader.js'
import type { SocketReader } from './socket-reader.js'

const together = 8
// In ms; longer than SOCKET_STALL_SECONDS, after which the server closes the socket.
const asleepMs = 8_000

/**
 * Readers that stop reading during heavy traffic: the server closes their sockets and keeps their queues. After
 * reconnecting they must get all missed events, or an error that the queue is gone.
 */
export async function floodOnce(
  readers: readonly SocketReader[],
  deeds: Deeds,
  messages: number,
  { ledger, tally }: Reading,
): Promise<void> {
  for (const reader of readers) reader.pause()
  tally.add('floods')
  let left = messages
  const requestLoop = async () => {
    while (left-- > 0) await deeds.floodMessage()
  }
  await Promise.all(Array.from({ length: together }, requestLoop))
  await sleep(asleepMs)
  for (const reader of readers) reader.read()
  await Promise.all(readers.map(reader => caughtUp(reader, ledger)))
}
