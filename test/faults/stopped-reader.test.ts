// Clients stop reading while 50,000 events pass: they cost their buffer and no more, and then get every event, or are told.
import t from 'tap'
import { connect } from '../../shared/client/index.js'
import { quick } from '../support/client-log.js'
import type { Person } from '../support/people.js'
import { spawnServer } from '../support/server.js'
import { PlainReader } from './support/plain-reader.js'
import { eventually } from './support/wait.js'
import { residentBytes, workersOf } from './support/workers.js'

const level = process.env.FAULT_LOG ?? 'fatal'
const events = Number(process.env.FAULT_EVENTS ?? 50_000)
const warm = 17_000
const openSees = new Set(['open'])
/** Requests under way over one socket: what one client may have. */
const atOnce = 64

/** Sends the messages with these numbers as fast as they are taken. `more`: what stands in each of them besides. */
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
  const server = await spawnServer(t, {
    // Room for all events, so that nobody may be dropped; and no worker takes its reader for dead.
    QUEUE_MAX_EVENTS: '100000',
    SOCKET_STALL_SECONDS: '3600',
    WORKERS: '2',
    LOG_LEVEL: level,
    // With more the engine behind the program keeps garbage as long as it likes; with less than it needs a worker dies.
    NODE_OPTIONS: '--max-old-space-size=256',
  })
  const [writer, reader] = [await server.person(), await server.person()]
  await channel(writer, reader)
  const readers = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, i) => PlainReader.start(`stopped ${i}`, openSees, reader)))
  const keepers = await readers(2)
  t.teardown(() => Promise.all(keepers.map(one => one.stop())))
  // More than the newest events that a worker keeps in memory, so that what it needs with everybody reading is there.
  await flood(writer, 0, warm)
  for (const one of keepers) await eventually('the first events', () => one.numbers.size === warm)
  const quitters = await readers(78)
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
  await flood(writer, warm, warm + events)
  clearInterval(looking)
  const grown = Math.max(highest, memory()) - before
  t.comment(`${stopped.length} readers, ${events} events: ${Math.round(grown / 2 ** 20)} MiB more`)
  // Each may hold its buffer (1 MiB), and a garbage collector its garbage. Kept for each of them, the events would be some
  // gigabytes.
  t.ok(grown < (stopped.length + 200) * 2 ** 20, 'memory stays within the buffers')
  t.same(workersOf(server.process.pid), workers, 'and in a heap of 256 MiB')
  await Promise.all(quitters.map(one => one.stop()))
  for (const one of keepers) one.resume()
  for (const one of keepers) {
    await eventually('every event', () => gotAll(one, warm + events), { seconds: 120 })
    await one.stop()
    t.same(one.complaints, [])
    t.equal(one.lost, undefined)
    t.same(numbersOf(one), [...Array(warm + events).keys()], 'each once')
  }
})

t.test('they are closed with 4008 as soon as they make no progress, and go on later', async t => {
  const server = await spawnServer(t, { SOCKET_STALL_SECONDS: '1', WORKERS: '2', LOG_LEVEL: level })
  const [writer, reader] = [await server.person(), await server.person()]
  await channel(writer, reader)
  const stopped = await PlainReader.start('stopped', openSees, reader)
  t.teardown(() => stopped.stop())
  await eventually('its socket', () => stopped.pause())
  // More than the kernel keeps for a socket on both sides.
  const count = 12_000
  await flood(writer, 0, count, `\n\n${'more '.repeat(500)}`)
  stopped.resume()
  await eventually('every event', () => gotAll(stopped, count))
  await stopped.stop()
  t.same(stopped.complaints, [])
  t.equal(stopped.lost, undefined)
  t.same(numbersOf(stopped), [...Array(count).keys()], 'each once')
  // The closing frame stands behind what was not read: who reads nothing at all may see but the end of the connection.
  t.match(Object.keys(stopped.closings).join(), /4008|1006/)
})

t.test('with more unread than a queue may hold they are told', async t => {
  const settings = { QUEUE_MAX_EVENTS: '5000', SOCKET_STALL_SECONDS: '3600', WORKERS: '2', LOG_LEVEL: level }
  const server = await spawnServer(t, settings)
  const [writer, reader] = [await server.person(), await server.person()]
  await channel(writer, reader)
  const stopped = await PlainReader.start('stopped', openSees, reader)
  t.teardown(() => stopped.stop())
  await eventually('its socket', () => stopped.pause())
  await flood(writer, 0, 10_000)
  stopped.resume()
  await eventually('that it is told', () => stopped.lost !== undefined)
  await stopped.stop()
  t.match(stopped.lost, /^Bad event queue/i)
  t.same(stopped.complaints, [])
  t.match(Object.keys(stopped.closings).join(), /4010|1006/)
  const numbers = numbersOf(stopped)
  // Messages that were under way side by side may come in another order than their numbers.
  t.ok(
    numbers.slice(0, -atOnce).every((number, i) => number === i),
    'what it got before has no gap',
  )
})

/** Several senders at once: numbers come in any order. */
const numbersOf = ({ seen }: PlainReader) => seen.map(({ number }) => number).sort((a, b) => a - b)
