// Lists of channels from the memory of a worker are what the tables say, and never older than what another worker has answered before.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import t from 'tap'
import { Memory } from '../../server/memory/memory.js'
import { countChannelTraffic } from '../../server/store/channels/channel-traffic.js'
import { insertSubscriptions } from '../../server/store/channels/subscriptions.js'
import { directoryLeaseMs } from '../../server/store/driver/directory-lease.js'
import { people } from '../api/messages/scene.js'
import { Api } from '../support/http.js'
import { setChannel } from '../support/organization.js'
import type { Person } from '../support/people.js'
import { startServer } from '../support/server.js'

const first = await startServer(t)
const workers = [first, await startServer(t, {}, first.organization)] as const
// It remembers nothing: each answer of it is computed from the tables.
const plain = await startServer(t, {}, first.organization)
const { sql } = first
const outside = first.organization.outside(t)
const owner = await first.person({ role: 100 })
const guest = await first.person({ role: 600 })
const [member, leaver] = await people(first, 2)
const everyone = [owner, member, guest, leaver]
const names = ['open', 'closed', 'old', 'quiet']
await owner.ok('POST', '/users/me/subscriptions', {
  subscriptions: names.map(name => ({ name })),
  principals: everyone.map(person => person.id),
})
const ids = await Promise.all(
  names.map(async stream => (await owner.ok('GET', '/get_stream_id', { stream })).stream_id as number),
)
await setChannel(sql, ids[names.indexOf('old')] as number, { date_created: new Date(Date.now() - 400 * 86_400_000) })
await sql`update lists_version set version = version + 1`
await countChannelTraffic(sql, new Date())

const at = (worker: number, { email, api_key }: Person): Api =>
  new Api((workers[worker % 2] as typeof first).url, { email, api_key })

const lists = [
  ['GET', '/streams', { include_all: true, include_default: true, exclude_archived: false }],
  ['GET', '/streams', {}],
  ['GET', '/users/me/subscriptions', { include_subscribers: 'true' }],
  ['GET', '/messages', { anchor: 'newest', num_before: 50, num_after: 0 }],
  [
    'GET',
    '/messages',
    { anchor: 'newest', num_before: 50, num_after: 0, narrow: [{ operator: 'in', operand: 'home' }] },
  ],
  ['POST', '/register', { fetch_event_types: ['stream', 'subscription'], event_types: [], include_subscribers: true }],
] as const

/** All lists of the person, and which messages it may read, as text. */
async function listsOf(api: Api): Promise<string[]> {
  const answers = await Promise.all(lists.map(([method, path, params]) => api.ok(method, path, params)))
  return answers.map(({ streams, subscriptions, unsubscribed, never_subscribed, messages }) => {
    const read = messages?.map((message: { id: number }) => message.id)
    return JSON.stringify({ streams, subscriptions, unsubscribed, never_subscribed, read })
  })
}

async function stored(person: Person): Promise<string[]> {
  Object.assign(plain.ctx, { memory: new Memory(sql, plain.ctx.directory) })
  return listsOf(new Api(plain.url, { email: person.email, api_key: person.api_key }))
}

/** The beginning of what differs. */
function differing(found = '', wanted = ''): string {
  const at = [...wanted].findIndex((char, i) => char !== found[i])
  return `${found.slice(at - 100, at + 50)} in place of ${wanted.slice(at - 100, at + 50)}`
}

const oneOf = <Value>(list: readonly Value[], pick: number): Value => list[pick % list.length] as Value

async function messageIn(channel: number, pick: number): Promise<number | undefined> {
  const rows = await sql<{ id: number }[]>`select id from messages where channel_id = ${channel} order by id`
  return (pick % 3 ? rows[0] : rows.at(-1))?.id
}

/** Each change is made through one worker, or by a program that is none. */
const changes = {
  subscribe: (worker: number, channel: number, pick: number) =>
    at(worker, owner).call('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: names[ids.indexOf(channel)] }],
      principals: [oneOf(everyone, pick).id],
    }),
  unsubscribe: (worker: number, channel: number, pick: number) =>
    at(worker, owner).call('DELETE', '/users/me/subscriptions', {
      subscriptions: [names[ids.indexOf(channel)]],
      principals: [oneOf(everyone, pick).id],
    }),
  setting: (worker: number, channel: number, pick: number) =>
    at(worker, oneOf(everyone, pick)).call('POST', '/users/me/subscriptions/properties', {
      subscription_data: [
        { stream_id: channel, property: 'is_muted', value: pick % 2 === 0 },
        { stream_id: channel, property: 'color', value: `#00000${pick % 10}` },
      ],
    }),
  send: (worker: number, channel: number) =>
    at(worker, owner).call('POST', '/messages', { type: 'stream', to: channel, topic: 'a topic', content: 'text' }),
  async delete(worker: number, channel: number, pick: number) {
    const id = await messageIn(channel, pick)
    if (id) await at(worker, owner).call('DELETE', `/messages/${id}`)
  },
  async move(worker: number, channel: number, pick: number) {
    const id = await messageIn(channel, pick)
    const to = { stream_id: oneOf(ids, pick), propagate_mode: 'change_one' }
    const quiet = { send_notification_to_old_thread: false, send_notification_to_new_thread: false }
    if (id) await at(worker, owner).call('PATCH', `/messages/${id}`, { ...to, ...quiet })
  },
  close: (worker: number, channel: number, pick: number) =>
    at(worker, owner).call('PATCH', `/streams/${channel}`, {
      is_private: pick % 2 === 0,
      history_public_to_subscribers: true,
    }),
  async leave(worker: number, _: number, pick: number) {
    if (pick % 2) await at(worker, owner).call('DELETE', `/users/${leaver.id}`)
    else await at(worker, owner).call('POST', `/users/${leaver.id}/reactivate`)
  },
  role: (worker: number, _: number, pick: number) =>
    at(worker, owner).call('PATCH', `/users/${member.id}`, { role: pick % 2 ? 600 : 400 }),
  create: (worker: number) =>
    at(worker, owner).call('POST', '/channels/create', { name: `new ${performance.now()}`, subscribers: [member.id] }),
  async count() {
    await countChannelTraffic(outside, new Date())
  },
  subscribeFromOutside: (_: number, channel: number, pick: number) =>
    outside.begin(tx => insertSubscriptions(tx, [oneOf(everyone, pick).id], [{ id: channel, color: '#123456' }])),
}

t.test('after changes in any order, each worker answers what the tables say', async t => {
  const step = fc.record({
    kind: fc.constantFrom(...(Object.keys(changes) as (keyof typeof changes)[])),
    worker: fc.nat(1),
    channel: fc.nat(ids.length - 1),
    pick: fc.nat(1000),
    pauseMs: fc.constantFrom(0, 0, directoryLeaseMs),
  })
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async steps => {
      for (const { kind, worker, channel, pick, pauseMs } of steps) {
        await sleep(pauseMs)
        await changes[kind](worker, ids[channel] as number, pick)
        const person = oneOf([owner, member, guest], pick)
        const answers = await Promise.all([0, 1].map(reader => listsOf(at(reader, person))))
        const wanted = await stored(person)
        for (const [worker, answer] of answers.entries()) {
          const wrong = wanted.findIndex((text, i) => text !== answer[i])
          if (wrong >= 0)
            assert.deepEqual(differing(answer[wrong], wanted[wrong]), '', `worker ${worker}, after ${kind}`)
        }
        seen.add(wanted.join())
      }
    }),
    { numRuns: 15 },
  )
  t.ok(seen.size > 10, `${seen.size} different lists`)
})

t.test('lists of two workers never go back, while both of them write', async t => {
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'painted' }] })
  const { stream_id: channel } = await owner.ok('GET', '/get_stream_id', { stream: 'painted' })
  // The colour is a number that rises.
  const colour = (number: number) => `#${String(number).padStart(6, '0')}`
  const paint = (worker: number, number: number) =>
    at(worker, owner).ok('POST', '/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: channel, property: 'color', value: colour(number) }],
    })
  await paint(0, 0)
  let known = 0
  let written = 0
  let reads = 0
  const isOver = () => written > 60
  const read = async (worker: number) => {
    while (!isOver()) {
      const before = known
      const { subscriptions } = await at(worker, owner).ok('GET', '/users/me/subscriptions')
      const own = subscriptions.find((one: { stream_id: number }) => one.stream_id === channel)
      const found = Number(own.color.slice(1))
      assert.ok(found >= before, `worker ${worker} answered ${found} although ${before} was known`)
      known = Math.max(known, found)
      reads++
    }
  }
  const write = async () => {
    while (!isOver()) {
      const next = ++written
      await paint(next, next)
      known = Math.max(known, next)
      await sleep(next % 5)
    }
  }
  await Promise.all([read(0), read(0), read(1), read(1), write()])
  t.ok(reads > written, `${reads} reads beside ${written} writes`)
})
