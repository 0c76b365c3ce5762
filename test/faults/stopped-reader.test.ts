// Clients stop reading during thousands of events, 50,000 with FAULT_EVENTS=50000: each costs at most its buffer, and
// then gets every event, or an error that its queue is gone.
import t from 'tap'
import { connect } from '../../shared/client/index.js'
import { quick } from '../support/client-log.js'
import type { Person } from '../support/people.js'
import { spawnServer } from '../support/server.js'
import { unreadEvents } from './support/amounts.js'
import { serverSettings } from './support/begin.js'
import { PlainReader } from './support/plain-reader.js'
import { eventually } from './support/wait.js'
import { residentBytes, workersOf } from './support/workers.js'

// The limits of a worker's entry cache (server/realtime/feed/entry-cache.ts).
const recent = { events: 16_384, bytes: 16 * 2 ** 20 }
// More than the entry cache, and more than the server and the kernel buffer for a socket.
const unreadBytes = 1.5 * recent.bytes
const eventBytes = Math.ceil(unreadBytes / unreadEvents)
const long = `\n\n${'more '.repeat(eventBytes / 5)}`
const warm = Math.ceil(1.1 * Math.min(recent.events, recent.bytes / eventBytes))
const openSees = new Set(['open'])
/** Concurrent requests over one socket, up to the server's limit. */
const atOnce = 64

/** Sends messages with these numbers at the highest accepted rate. `more`: further text of each message. */
async function flood({ url, email, api_key }: Person, from: number, to: number, more = ''): Promise<void> {
  const client = connect({ ...quick, url, email, apiKey: api_key })
  let next = from
  const one = async () => {
    while (next < to) {
      const content = `number ${next++} of open${more}`
      await client.request('POST', '/messages', { type: 'stream', to: 'open', topic: 'flood', content })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  await client.close()
}

async function channel(writer: Person, reader: Person): Promise<void> {
  await writer.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'open' }],
    principals: [writer.id, reader.id],
    send_new_subscription_messages: false,
  })
}

const gotAll = ({ numbers, lost }: PlainReader, count: number) => numbers.size === count || lost !== undefined

t.test('they stay connected and read nothing', async t => {
  const settings = serverSettings(2, {
    // Queues may hold all events, so that none is evicted; and no worker closes a stalled socket.
    QUEUE_MAX_EVENTS: '100000',
    SOCKET_STALL_SECONDS: '3600',
    // Measured: some 320 MiB per worker after the warm-up, and up to 432 at the end for a worker with most of the readers. A worker
    // that copied the events for each reader would exceed the limit and be replaced.
    WORKER_MEMORY: '512',
  })
  const server = await spawnServer(t, settings)
  const [writer, reader] = [await server.person(), await server.person()]
  await channel(writer, reader)
  const readers = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, i) => PlainReader.start(`stopped ${i}`, openSees, reader)))
  const keepers = await readers(2)
  t.teardown(() => Promise.all(keepers.map(one => one.stop())))
  // Warm-up: the workers allocate what they need while all clients read.
  await flood(writer, 0, warm, long)
  for (const one of keepers) await eventually('the first events', () => one.numbers.size === warm)
  const quitters = await readers(38)
  const stopped = [...keepers, ...quitters]
  t.teardown(() => Promise.all(quitters.map(one => one.stop())))
  for (const one of stopped) await eventually('its socket', () => one.pause())
  const workers = workersOf(server.process.pid)
  const memory = () => workers.reduce((sum, pid) => sum + residentBytes(pid), 0)
  const before = memory()
  let highest = 0
  const looking = setInterval(() => {
    highest = Math.max(highest, memory())
  }, 50)
  await flood(writer, warm, warm + unreadEvents, long)
  clearInterval(looking)
  const grown = Math.max(highest, memory()) - before
  t.comment(`${stopped.length} readers, ${unreadEvents} events: ${Math.round(grown / 2 ** 20)} MiB more`)
  // Each socket may have its buffer (1 MiB), plus garbage. A copy of the events per client would be a gigabyte.
  t.ok(grown < (stopped.length + 200) * 2 ** 20, 'memory stays within the buffers')
  t.same(workersOf(server.process.pid), workers, 'and no worker was replaced')
  await Promise.all(quitters.map(one => one.stop()))
  for (const one of keepers) one.resume()
  for (const one of keepers) {
    await eventually('every event', () => gotAll(one, warm + unreadEvents), { seconds: 120 })
    await one.stop()
    t.same(one.complaints, [])
    t.equal(one.lost, undefined)
    t.same(numbersOf(one), [...Array(warm + unreadEvents).keys()], 'each once')
  }
})

t.test('they are closed with 4008 as soon as they make no progress, and go on later', async t => {
  const server = await spawnServer(t, serverSettings(2, { SOCKET_STALL_SECONDS: '1' }))
  const [writer, reader] = [await server.person(), await server.person()]
  await channel(writer, reader)
  const stopped = await PlainReader.start('stopped', openSees, reader)
  t.teardown(() => stopped.stop())
  await eventually('its socket', () => stopped.pause())
  // Two thirds still exceed the kernel's buffer for the socket.
  const count = Math.ceil((unreadEvents * 2) / 3)
  await flood(writer, 0, count, long)
  stopped.resume()
  await eventually('every event', () => gotAll(stopped, count))
  await stopped.stop()
  t.same(stopped.complaints, [])
  t.equal(stopped.lost, undefined)
  t.same(numbersOf(stopped), [...Array(count).keys()], 'each once')
  // The close frame follows the unread bytes: a client that does not read may see only the end of the connection.
  t.match(Object.keys(stopped.closings).join(), /4008|1006/)
})

t.test('clients with more unacknowledged events than a queue may hold get a gap', async t => {
  const server = await spawnServer(t, serverSettings(2, { QUEUE_MAX_EVENTS: '1000', SOCKET_STALL_SECONDS: '3600' }))
  const [writer, reader] = [await server.person(), await server.person()]
  await channel(writer, reader)
  const stopped = await PlainReader.start('stopped', openSees, reader)
  t.teardown(() => stopped.stop())
  await eventually('its socket', () => stopped.pause())
  await flood(writer, 0, 3000)
  stopped.resume()
  await eventually('that it is told', () => stopped.lost !== undefined)
  await stopped.stop()
  t.match(stopped.lost, /^Bad event queue/i)
  t.same(stopped.complaints, [])
  t.match(Object.keys(stopped.closings).join(), /4010|1006/)
  const numbers = numbersOf(stopped)
  // Concurrent messages may arrive in another order than their numbers.
  t.ok(
    numbers.slice(0, -atOnce).every((number, i) => number === i),
    'what it got before has no gap',
  )
})

/** Sorted, because of several concurrent senders. */
const numbersOf = ({ seen }: PlainReader) => seen.map(({ number }) => number).sort((a, b) => a - b)
