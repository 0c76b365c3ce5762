// Metrics of two workers in real processes, as Prometheus gets them: the sums, those of each worker, and when a worker
// dies, hangs or drains.
import t from 'tap'
import { version } from '../../../server/config/version.js'
import { childrenOf } from '../../support/processes.js'
import { spawnServer, type TestServer } from '../../support/server.js'
import { type Scrape, scrape, token, withToken } from './scrape.js'

const until = async (holds: (scraped: Scrape) => boolean, url: string): Promise<Scrape> => {
  for (;;) {
    // A kept-alive connection may have been to a worker that has ended.
    const scraped = await scrape(url).catch(error => {
      if (error instanceof TypeError) return undefined
      throw error
    })
    if (scraped && holds(scraped)) return scraped
  }
}

type Started = TestServer & { process: { readonly pid?: number } }
const workersOf = (server: Started): number[] => childrenOf(server.process.pid ?? 0)

/** A channel with two readers that poll. */
async function channel(server: TestServer) {
  const people = await Promise.all([server.person(), server.person()])
  for (const person of people)
    await person.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'figures' }] })
  const queues = await Promise.all(
    people.map(person => person.ok('POST', '/register', { event_types: ['message'], fetch_event_types: [] })),
  )
  const send = () =>
    people[0]?.ok('POST', '/messages', { type: 'channel', to: 'figures', topic: 'n', content: 'counted' })
  const read = () =>
    Promise.all(
      people.map(async (person, i) => {
        const { queue_id } = queues[i] as { queue_id: string }
        const { events } = await person.ok('GET', '/events', { queue_id, last_event_id: -1 })
        return (events as unknown[]).length
      }),
    )
  return { send, read }
}

t.test('the metrics show the number of sends, however they are spread over workers', async t => {
  const server = await spawnServer(t, { WORKERS: '2', ...withToken })
  const { send, read } = await channel(server)
  const before = await scrape(server.url)
  for (let i = 0; i < 25; i++) await send()
  let got = [0, 0]
  while (got.some(n => n < 25)) got = await read()
  const after = await scrape(server.url)
  const grown = (name: string) => after.sum(name) - before.sum(name)
  t.equal(grown('parley_messages_sent_total'), 25)
  t.equal(
    (after.get('parley_requests_total{area="messages",status="2xx"}') ?? 0) -
      (before.get('parley_requests_total{area="messages",status="2xx"}') ?? 0),
    25,
  )
  t.ok(grown('parley_events_published_total') >= 25)
  t.ok(grown('parley_deliveries_total') >= 50, 'each event to each of two')
  t.equal(after.get('parley_queues'), 2)
  t.same(after.workers, ['1', '2'])
  t.equal(after.get('parley_workers_answered'), 2)
  t.equal(after.get(`parley_info{version="${version}",node="${process.version}"}`), 1)
  for (const name of ['requests_total', 'queues', 'deliveries_total', 'publish_delay_seconds_count']) {
    t.equal(after.sum(`parley_worker_${name}`), after.sum(`parley_${name}`), `${name}: the sum is that of the workers`)
  }
  t.equal(after.sum('parley_publish_delay_seconds_count'), after.sum('parley_events_published_total'))
})

t.test('a worker that is killed takes nothing of the sums away, and is replaced under its number', async t => {
  const server = await spawnServer(t, { WORKERS: '2', ...withToken })
  const { send } = await channel(server)
  for (let i = 0; i < 10; i++) await send()
  const before = await scrape(server.url)
  t.equal(before.sum('parley_messages_sent_total'), 10)
  const [victim] = workersOf(server)
  process.kill(victim as number, 'SIGKILL')
  const after = await until(
    scraped => scraped.get('parley_worker_restarts_total') === 1 && scraped.get('parley_workers_answered') === 2,
    server.url,
  )
  t.equal(after.sum('parley_messages_sent_total'), 10, 'neither forgotten nor counted twice')
  t.same(after.workers, ['1', '2'])
  t.not(workersOf(server).includes(victim as number), true)
})

t.test('a worker that hangs delays no scrape, and its counts stay in the sums', async t => {
  const server = await spawnServer(t, { WORKERS: '2', WORKER_HANG_SECONDS: '600', ...withToken })
  const { send } = await channel(server)
  for (let i = 0; i < 10; i++) await send()
  t.equal((await scrape(server.url)).sum('parley_messages_sent_total'), 10)
  const [victim] = workersOf(server)
  process.kill(victim as number, 'SIGSTOP')
  t.teardown(() => process.kill(victim as number, 'SIGCONT'))
  // Each connection goes to either worker; the first answered one reached the working one.
  const asked = () =>
    fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${token}`, connection: 'close' } })
  const answer = await Promise.race(Array.from({ length: 12 }, asked))
  t.equal(answer.status, 200)
  const text = await answer.text()
  t.match(text, /^parley_workers 2$/m)
  t.match(text, /^parley_workers_answered 1$/m)
  t.match(text, /^parley_messages_sent_total 10$/m)
  process.kill(victim as number, 'SIGCONT')
  const again = await until(scraped => scraped.get('parley_workers_answered') === 2, server.url)
  t.equal(again.sum('parley_messages_sent_total'), 10)
})

t.test('workers that are replaced report what they counted until the end', async t => {
  const server = await spawnServer(t, { WORKERS: '2', ...withToken })
  const { send } = await channel(server)
  // No request precedes the drain, so the final figures are those that the workers report at their end.
  for (let i = 0; i < 10; i++) await send()
  server.process.kill('SIGUSR2')
  const after = await until(scraped => scraped.get('parley_worker_replacements_total') === 2, server.url)
  const settled = await until(
    scraped => scraped.get('parley_workers') === 2 && scraped.get('parley_workers_answered') === 2,
    server.url,
  )
  t.equal(settled.sum('parley_messages_sent_total'), 10)
  t.ok(after.sum('parley_messages_sent_total') <= 10)
  t.equal(settled.get('parley_worker_restarts_total'), 0)
})

t.test('who may read the figures', async t => {
  const server = await spawnServer(t, { WORKERS: '1', ...withToken })
  const [owner, administrator, moderator, member, guest] = await Promise.all(
    ([100, 200, 300, 400, 600] as const).map(role => server.person({ role })),
  )
  const basic = (person: typeof owner, key = person?.api_key) =>
    `Basic ${Buffer.from(`${person?.email}:${key}`).toString('base64')}`
  const status = async (path: string, authorization?: string, method = 'GET') => {
    const answer = await fetch(server.url + path, { method, headers: authorization ? { authorization } : {} })
    return { status: answer.status, text: await answer.text(), headers: answer.headers }
  }
  t.test('administrators and owners by their key', async t => {
    for (const person of [owner, administrator]) {
      t.equal((await status('/metrics', basic(person))).status, 200)
      const { status: code, text } = await status('/status/data', basic(person))
      t.equal(code, 200)
      t.equal(JSON.parse(text).workers.length, 1)
    }
  })
  t.test('no other caller', async t => {
    for (const person of [moderator, member, guest]) {
      for (const path of ['/metrics', '/status/data']) {
        const { status: code, text } = await status(path, basic(person))
        t.match({ code, body: JSON.parse(text) }, { code: 400, body: { code: 'UNAUTHORIZED_PRINCIPAL' } })
      }
    }
    for (const authorization of [undefined, 'Basic', 'Basic x', basic(owner, 'x'.repeat(32)), 'Bearer', 'Digest a']) {
      for (const path of ['/metrics', '/status/data']) {
        const { status: code, text, headers } = await status(path, authorization)
        t.equal(code, 401, `${path} with ${authorization}`)
        t.notMatch(text, /parley_/)
        t.notMatch(headers.get('www-authenticate'), /basic/i, 'no window of the browser asks for a password')
      }
    }
  })
  t.test('a token that is not quite right', async t => {
    for (const wrong of [token.slice(0, -1), `${token}x`, token.toUpperCase(), '', `x ${token}`]) {
      t.equal((await status('/metrics', `Bearer ${wrong}`)).status, 401, wrong)
    }
    t.equal((await status('/metrics', `bearer ${token}`)).status, 200, 'the scheme is read in any case')
    t.equal((await status('/status/data', `Bearer ${token}`)).status, 401, 'it opens the metrics alone')
  })
  t.test('it is read only', async t => {
    for (const path of ['/metrics', '/status/data', '/health/live', '/health/ready']) {
      const refused = await status(path, `Bearer ${token}`, 'POST')
      t.equal(refused.status, 405)
      t.equal(refused.headers.get('allow'), 'GET, HEAD')
    }
    const { status: code, text } = await status('/metrics', `Bearer ${token}`, 'HEAD')
    t.match({ code, text }, { code: 200, text: '' })
  })
})

t.test('without METRICS_TOKEN no token opens anything, wherever one asks from', async t => {
  const server = await spawnServer(t, { WORKERS: '1' })
  for (const authorization of ['Bearer ', 'Bearer undefined', `Bearer ${token}`]) {
    t.equal((await fetch(`${server.url}/metrics`, { headers: { authorization } })).status, 401)
  }
  t.equal((await fetch(`${server.url}/metrics`)).status, 401, 'from this machine, too')
})
