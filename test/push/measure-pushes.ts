import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { difference, usageBelow } from '../../bench/lib/cpu.js'
import { readOptions } from '../../bench/lib/options.js'
import { makeAccounts, makeChannel } from '../../bench/lib/people.js'
import { RealServer } from '../../bench/lib/real-server.js'
import { type Undo, undone } from '../../bench/lib/undo.js'
import { Api } from '../support/http.js'
import { Receiver } from '../support/push-service.js'

// How fast pushes are: `node dist/test/push/measure-pushes.js [--people 1000] [--devices 10] [--alone 200] [--workers 2]`. A message to all people of a
// channel is pushed to each of their devices; then one message after the other to a single device. The push service is this process, which
// decrypts each push.
const options = readOptions(process.argv.slice(2), { people: 1_000, devices: 10, alone: 200, workers: 2 })

await undone(async (undo: Undo) => {
  const receiver = new Receiver()
  /** Arrivals in ms by message id, each device once. */
  const arrivals = new Map<number, Set<string>>()
  let arrived = (_: number) => {}
  const service = createServer(async (request, response) => {
    const { type, message_id } = JSON.parse(receiver.decrypt(Buffer.concat(await request.toArray())).toString())
    response.writeHead(201).end()
    if (type !== 'message') return
    const paths = arrivals.get(message_id) ?? new Set()
    arrivals.set(message_id, paths.add(request.url ?? ''))
    arrived(message_id)
  })
  service.listen(0, '127.0.0.1')
  await once(service, 'listening')
  undo.push(async () => {
    service.closeAllConnections()
    service.close()
  })
  const origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  const server = await RealServer.started(undo, { WORKERS: String(options.workers), PUSH_PRIVATE_ORIGINS: origin })
  const sql = postgres(server.setting('DATABASE_URL'), { max: 1, connection: { search_path: 'parley' } })
  undo.push(() => sql.end())
  const [owner, one, ...people] = await makeAccounts(server, options.people + 2)
  if (!owner || !one) throw new Error('there are no accounts')
  const channel = await makeChannel(server, owner, 'all', people)
  const api = new Api(server.url.origin, owner)
  const { p256dh, auth } = receiver
  await sql`
    insert into push_devices (user_id, endpoint, p256dh, auth, name)
    select id, ${origin} || '/' || id || '/' || n, ${p256dh}, ${auth}, 'device'
    from unnest(${people.map(({ id }) => id)}::int[]) as id, generate_series(1, ${options.devices}::int) as n
    union all select ${one.id}::int, ${`${origin}/one`}::text, ${p256dh}, ${auth}, 'device'`
  // Workers remember for a minute which accounts have devices.
  const device = receiver.device(`${origin}/owner`)
  await api.ok('POST', '/users/me/push_devices', device)

  const all = options.people * options.devices
  const begin = performance.now()
  const before = usageBelow(process.pid)
  const { id } = await api.ok('POST', '/messages', {
    type: 'channel',
    to: channel,
    topic: 'all',
    content: '@**all** now',
  })
  while ((arrivals.get(id)?.size ?? 0) < all) await sleep(5)
  console.log(`${all} pushes: ${((performance.now() - begin) / 1000).toFixed(2)} s after the send`)
  const used = difference(usageBelow(process.pid), before)
  console.log(`CPU seconds: server ${used.server}, PostgreSQL ${used.postgres}, Redis ${used.redis}`)

  const waits: number[] = []
  for (let n = 0; n < options.alone; n++) {
    const sent = performance.now()
    const came = new Promise<number>(resolve => {
      arrived = () => resolve(performance.now())
    })
    await api.ok('POST', '/messages', { type: 'direct', to: [one.id], content: `number ${n}` })
    waits.push((await came) - sent)
    await sleep(20)
  }
  waits.sort((a, b) => a - b)
  const at = (share: number) => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))]?.toFixed(0)
  console.log(`from send to push, ms: p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)}`)
})
