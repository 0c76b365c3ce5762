import type { Account } from '../lib/load-protocol.js'
import { PollReader } from './poll-reader.js'
import type { Reader, Reading } from './reader.js'
import { SocketReader } from './socket-reader.js'

/** The kinds of ten readers. */
const kinds: readonly ((name: string, reading: Reading, who: Account) => PollReader | SocketReader)[] = [
  ...Array.from(
    { length: 4 },
    () => (name: string, reading: Reading, who: Account) =>
      new SocketReader(`${name} (socket, JSON)`, reading, who, { codec: 'json' }),
  ),
  ...Array.from(
    { length: 2 },
    () => (name: string, reading: Reading, who: Account) =>
      new SocketReader(`${name} (socket, MessagePack)`, reading, who, { codec: 'msgpack' }),
  ),
  (name, reading, who) =>
    new SocketReader(`${name} (messages only)`, reading, who, { codec: 'json', types: ['message'] }),
  ...Array.from(
    { length: 3 },
    () => (name: string, reading: Reading, who: Account) => new PollReader(`${name} (long poll)`, reading, who),
  ),
]

// Number of readers that register at once; more would overload the server.
const together = 20

/** Starts this many readers of all kinds, distributed over the users. */
export async function startReaders(reading: Reading, people: readonly Account[], count: number): Promise<Reader[]> {
  const readers = Array.from({ length: count }, (_, i) => {
    const make = kinds[i % kinds.length] as (typeof kinds)[number]
    return make(`reader ${i}`, reading, people[i % people.length] as Account)
  })
  for (let start = 0; start < readers.length; start += together) {
    await Promise.all(readers.slice(start, start + together).map(reader => reader.start()))
  }
  return readers
}
