import { setTimeout as sleep } from 'node:timers/promises'
import type { Deeds } from './deeds.js'
import { caughtUp, type Reading } from './reader.js'
import type { SocketReader } from './socket-reader.js'

const together = 8
// What the server needs to find a socket too slow (SOCKET_STALL_SECONDS), and some more.
const asleepMs = 8_000

/**
 * Readers that stop reading while much is said: the server closes their sockets, and keeps what they missed. Then they come
 * back, and have to get all of it, or to be told that it is gone.
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
  const lane = async () => {
    while (left-- > 0) await deeds.floodMessage()
  }
  await Promise.all(Array.from({ length: together }, lane))
  await sleep(asleepMs)
  for (const reader of readers) reader.read()
  await Promise.all(readers.map(reader => caughtUp(reader, ledger)))
}
