// Workers are killed while events are sent to the address of a bot: each arrives, and those that come twice have the same id.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { anyOf } from '../support/random.js'
import { spawnServer, testOrganization } from '../support/server.js'
import { kills } from './support/amounts.js'
import { randomOf, serverSettings } from './support/begin.js'
import { eventually, seldom } from './support/wait.js'
import { listenersOn, signal, workersOf } from './support/workers.js'

const perKill = 40

t.test('workers are killed while events are sent', async t => {
  const random = randomOf(t)
  /** Contents by the id of their event, in the order in which the ids came first. */
  const received = new Map<string, string>()
  let requests = 0
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const { type, data } = JSON.parse(Buffer.concat(chunks).toString())
      const text = type === 'message' ? data.message.content : type
      const id = String(request.headers['webhook-id'])
      requests++
      t.equal(received.get(id) ?? text, text, 'one id, one event')
      received.set(id, text)
      response.writeHead(random(30) === 0 ? 503 : 200).end()
    })
  })
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  t.teardown(() => receiver.close())
  const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`

  const organization = await testOrganization(t)
  const server = await spawnServer(t, { ...serverSettings(2), WEBHOOK_PRIVATE_ORIGINS: origin }, organization)
  const ada = await server.person({ full_name: 'Ada Lovelace' })
  const bot = await server.person({ full_name: 'Watcher', bot_type: 1, bot_owner_id: ada.id })
  await ada.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'engine' }], principals: [ada.id, bot.id] })
  const { stream_id: to } = await ada.ok('GET', '/get_stream_id', { stream: 'engine' })
  await bot.ok('POST', '/event_subscriptions', { url: `${origin}/events`, event_types: ['message'] })
  const port = Number(new URL(server.url).port)

  const sent: string[] = []
  // After each, another worker takes the job over within 20 s.
  for (let killed = 0; killed < kills / 2; killed++) {
    await eventually('a worker that listens', () => listenersOn(port) > 0, seldom)
    const kill = sleep(random(400)).then(async () => {
      await eventually('a worker', () => workersOf(server.process.pid).length > 0)
      signal(anyOf(workersOf(server.process.pid), random), 'SIGKILL')
    })
    for (let n = 0; n < perKill; n++) {
      const content = `event ${killed} ${n}.`
      const answered = await ada
        .post('/messages', { type: 'channel', to, topic: 'notes', content })
        .catch(() => undefined)
      if (answered?.status === 200) sent.push(content)
    }
    await kill
  }
  const missing = () => {
    const found = new Set(received.values())
    return sent.filter(content => !found.has(content))
  }
  await eventually('all events', () => missing().length === 0, { everyMs: 200, seconds: 300 })
  t.ok(sent.length > 0)
  const arrived = [...received.values()].filter(text => sent.includes(text))
  t.same(arrived, sent, 'in their order, each under one id')
  t.ok(requests > sent.length, 'some came twice')
  t.notOk([...received.values()].includes('events_lost'))
})
