// Workers are killed while messages and reminders are due in the same seconds: each is sent exactly once, and none is left over.
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { anyOf } from '../support/random.js'
import { spawnServer, testOrganization } from '../support/server.js'
import { kills } from './support/amounts.js'
import { randomOf, serverSettings } from './support/begin.js'
import { eventually, seldom } from './support/wait.js'
import { listenersOn, signal, workersOf } from './support/workers.js'

const each = 100

t.test('workers are killed while scheduled messages and reminders are due', async t => {
  const random = randomOf(t)
  const organization = await testOrganization(t)
  const server = await spawnServer(t, serverSettings(2), organization)
  const { sql } = organization
  const ada = await server.person({ full_name: 'Ada Lovelace' })
  await ada.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'engine' }] })
  const { stream_id: to } = await ada.ok('GET', '/get_stream_id', { stream: 'engine' })
  const { id } = await ada.ok('POST', '/messages', { type: 'channel', to, topic: 'notes', content: 'the first one' })
  const due = Math.ceil(Date.now() / 1000) + 8
  const at = (n: number) => ({ scheduled_delivery_timestamp: due + (n % 3) })
  const numbers = Array.from({ length: each }, (_, n) => n)
  for (const n of numbers) {
    const message = { type: 'channel', to, topic: `topic ${n % 7}`, content: `scheduled ${n}.`, ...at(n) }
    await ada.ok('POST', '/scheduled_messages', message)
    await ada.ok('POST', '/reminders', { message_id: id, note: `note ${n}.`, ...at(n) })
  }
  const left = async () => {
    const [row] = await sql<{ n: number }[]>`
      select (select count(*) from scheduled_messages)::int + (select count(*) from reminders)::int as n`
    return row?.n ?? 0
  }
  t.equal(await left(), 2 * each, 'none was due before all were scheduled')
  const port = Number(new URL(server.url).port)
  await sleep(Math.max(0, due * 1000 - Date.now()))
  for (let killed = 0; killed < kills; killed++) {
    await sleep(random(400))
    await eventually('a worker that listens', () => listenersOn(port) > 0, seldom)
    signal(anyOf(workersOf(server.process.pid), random), 'SIGKILL')
  }
  await eventually('nothing left', async () => (await left()) === 0, { everyMs: 200 })
  const contents = (await sql<{ content: string }[]>`select content from messages`).map(({ content }) => content)
  const twice = (text: string) => contents.filter(content => content.includes(text)).length !== 1
  t.same(
    numbers.filter(n => twice(`scheduled ${n}.`)),
    [],
    'each message once',
  )
  t.same(
    numbers.filter(n => twice(`note ${n}.`)),
    [],
    'each reminder once',
  )
  const jobs = await sql`select kind from jobs where kind in ('scheduled-message', 'reminder')`
  t.same([...jobs], [])
})
