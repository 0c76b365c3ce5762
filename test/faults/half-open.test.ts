// The network fails without FIN or reset: packets are dropped. Each side detects it by a timeout.
import { readFileSync } from 'node:fs'
import t from 'tap'
import { Person } from '../support/people.js'
import { TcpProxy } from '../support/tcp-proxy.js'
import { begin } from './support/begin.js'
import { call } from './support/call.js'
import { ClientReader } from './support/client-reader.js'
import { PlainReader } from './support/plain-reader.js'
import { registerQueue } from './support/queue.js'
import { eventually, seldom } from './support/wait.js'

/** Remote ports of the connections to a local port. */
function peersOf(port: number): number[] {
  const portOf = (address: string | undefined) => Number.parseInt(address?.split(':')[1] ?? '', 16)
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map(line => line.trim().split(/\s+/))
    .filter(([, local, , state]) => portOf(local) === port && state === '01')
    .map(([, , remote]) => portOf(remote))
}

t.test('the network between server and clients dies', async t => {
  const settings = { SOCKET_SILENCE_SECONDS: '8', HEARTBEAT_SECONDS: '1' }
  const { server, scene } = await begin(t, { workers: 2, settings })
  const port = Number(new URL(server.url).port)
  const { proxy, url } = await TcpProxy.before(t, server.url)
  const { person, sees } = await scene.follower()
  const far = new Person(person.id, person.email, person.api_key, { url, full_name: person.full_name })

  const patient = await PlainReader.start('patient', sees, far)
  await eventually('its socket', () => proxy.ports.some(one => peersOf(port).includes(one)), seldom)
  const dying = proxy.ports
  const attentive = await ClientReader.start('attentive', sees, far, {
    codec: 'json',
    options: { silenceMs: 2500, timeoutMs: 2500 },
  })
  scene.readers.push(attentive, patient)
  const { queueId, last } = await registerQueue(person)
  const params = { queue_id: queueId, last_event_id: last }
  const ending = new AbortController()
  const poll = call(far, 'GET', '/events', { params, signal: ending.signal })

  proxy.forget()
  proxy.heal()
  scene.send()
  await scene.passes(20)
  await eventually('that the client hears the silence', () => Object.keys(attentive.closings).length > 0)
  const isGivenUp = () => !peersOf(port).some(one => dying.includes(one))
  await eventually('that the server misses answers to its pings', isGivenUp, seldom)
  await scene.passes(20)
  // The poll was answered on a dead connection: its events were never acknowledged.
  const { body } = await call(person, 'GET', '/events', { params })
  t.ok((body.events as unknown[]).length >= 20, 'what went to a dead connection comes again')
  // Like an unplugged cable: the client reconnects and resumes its queue.
  t.same(patient.closings, {})
  patient.drop()
  await scene.settle(t)
  ending.abort()
  await poll
})
