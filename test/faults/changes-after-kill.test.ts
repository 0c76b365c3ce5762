// Redis hangs while messages are sent: they are acknowledged and not in the feed. Then all processes are killed, and as
// soon as the first worker answers, clients react to those messages, edit and delete them. Every queue gets a message
// before its changes.
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import type { Params } from '../support/http.js'
import type { Person } from '../support/people.js'
import { rounds } from './support/amounts.js'
import { call } from './support/call.js'
import { Program } from './support/program.js'
import { registerQueue } from './support/queue.js'
import { eventually } from './support/wait.js'
import { signal } from './support/workers.js'

const settings = { WORKERS: '2', HEARTBEAT_SECONDS: '2' }
const count = 400
// Concurrent requests of one client.
const together = 20
// Changes of each kind.
const changes = 20
const topic = 'talk'

interface Happening {
  readonly id: number
  readonly type: string
  readonly message_id?: number
  readonly message?: { readonly id: number }
}

/** A client that polls and stores every event. */
class Queue {
  readonly events: Happening[] = []

  private constructor(
    readonly person: Person,
    private readonly queueId: string,
    private last: number,
  ) {}

  static async register(person: Person): Promise<Queue> {
    const { queueId, last } = await registerQueue(person, {
      event_types: ['message', 'reaction', 'update_message', 'delete_message'],
    })
    return new Queue(person, queueId, last)
  }

  async poll(): Promise<void> {
    const asked = { queue_id: this.queueId, last_event_id: this.last, dont_block: true }
    const { status, body } = await this.person.get('/events', asked)
    // The starting worker cannot serve this queue yet: the client retries.
    if (status === 503) return
    if (status !== 200) throw new Error(`/events: ${status} ${JSON.stringify(body)}`)
    for (const event of body.events as Happening[]) {
      this.last = event.id
      if (event.type !== 'heartbeat') this.events.push(event)
    }
  }

  /** The kinds of events of each message, in order of arrival. */
  byMessage(): Map<number, string> {
    const found = new Map<number, string>()
    for (const { type, message, message_id } of this.events) {
      const id = message?.id ?? message_id ?? 0
      found.set(id, found.has(id) ? `${found.get(id)}, ${type}` : type)
    }
    return found
  }
}

/** Runs `work` for each item, some in parallel; fails if one is refused. */
async function each<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let at = 0; at < items.length; at += together) {
    results.push(...(await Promise.all(items.slice(at, at + together).map(work))))
  }
  return results
}

/** Retries until a ready server answers. */
async function insist(person: Person, method: string, path: string, params: Params = {}): Promise<void> {
  await eventually(`${method} ${path}`, async () => {
    const { status, body } = await call(person, method, path, { params })
    if (status !== 0 && status !== 200 && status !== 503) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
    return status === 200
  })
}

/** Stops the Redis process; its connections stay open. */
function freezeRedis(program: Program): void {
  const isRedis = (pid: number) => readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('redis-server')
  const pids = program.processes().filter(isRedis)
  if (pids.length !== 1 || !signal(pids[0] as number, 'SIGSTOP')) throw new Error('there is no Redis to be stopped')
}

async function play(t: Test, program: Program, author: Person, queues: readonly Queue[]): Promise<void> {
  freezeRedis(program)
  const numbers = [...Array(count).keys()]
  const ids = await each(numbers, async n => {
    const sent = await author.ok('POST', '/messages', { type: 'stream', to: 'order', topic, content: `message ${n}` })
    return sent.id as number
  })
  await program.kill()
  const begun = program.begin()
  const [deleted, edited, reacted] = [0, 1, 2].map(i => ids.filter((_, at) => at % 3 === i).slice(-changes))
  const wanted = new Map(ids.map(id => [id, 'message']))
  await Promise.all([
    begun,
    each(deleted as number[], async id => {
      await insist(author, 'DELETE', `/messages/${id}`)
      wanted.set(id, 'message, delete_message')
    }),
    each(edited as number[], async id => {
      await insist(author, 'PATCH', `/messages/${id}`, { content: 'edited' })
      wanted.set(id, 'message, update_message')
    }),
    each(reacted as number[], async id => {
      await insist(author, 'POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
      wanted.set(id, 'message, reaction')
    }),
  ])
  for (const queue of queues) {
    await eventually('all events of a queue', async () => {
      await queue.poll()
      return queue.events.length >= count + 3 * changes
    })
    const found = queue.byMessage()
    const wrong = [...wanted].filter(([id, events]) => found.get(id) !== events).map(([id]) => found.get(id))
    t.same(wrong, [], 'every message comes once, and its change after it')
    t.equal(found.size, wanted.size, 'nothing else comes')
    queue.events.length = 0
  }
}

t.test('messages that were acknowledged while Redis hung come before their changes when all was killed', async t => {
  const program = await Program.start(t, settings)
  const author = await program.person()
  const readers = [author, await program.person(), await program.person()]
  for (const person of readers) {
    await person.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'order' }] })
  }
  const queues = await Promise.all(readers.map(person => Queue.register(person)))
  for (let round = 0; round < rounds; round++) await play(t, program, author, queues)
})
