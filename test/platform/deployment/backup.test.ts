import { execFile, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import WebSocket from 'ws'
import { startRedis } from '../../../server/embedded/redis.js'
import { connect } from '../../../shared/client/index.js'
import { until } from '../../support/client-log.js'
import { Api } from '../../support/http.js'
import { spawnServer, testOrganization } from '../../support/server.js'
import { readSteps } from '../documents/read-commands.js'
import { dataDirectory, quiet, stoppedAfter } from '../places.js'
import { runProgram } from '../program.js'
import { bin, ownPostgres } from './own-postgres.js'

// The commands of the document, in order; the test runs exactly these.
const [dump, restore, archive, unpack] = readSteps('docs/deployment.md', 'Backup and restore').map(
  ({ commands }) => commands,
)
const hasTools = bin !== undefined && spawnSync('redis-cli', ['--version']).status === 0

async function run(commands: string | undefined, directory: string, settings: Record<string, string>): Promise<void> {
  if (!commands) throw new Error('docs/deployment.md lacks a box of commands')
  const env = { PATH: `${bin ?? ''}:${process.env.PATH}`, ...settings }
  await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', commands], { cwd: directory, env })
}

t.test('a dump of PostgreSQL, restored, with an empty Redis', { skip: !hasTools && 'needs PostgreSQL' }, async t => {
  const directory = dataDirectory(t)
  const databaseUrl = await ownPostgres(t)
  const redis = await stoppedAfter(t, startRedis({ dataDir: directory, log: quiet }))
  // As in the document: redis-cli sends an empty user name literally.
  const redisUrl = redis.url.replace('://:', '://default:')
  const organization = await testOrganization(t, { databaseUrl, redisUrl })
  const settings = organization.env()
  const server = await spawnServer(t, {}, organization)
  const person = await server.person({ role: 200 })
  const { port } = new URL(server.url)
  const send = (content: string) =>
    person.ok('POST', '/messages', { type: 'direct', to: [person.id], content }) as Promise<{ id: number }>

  const told: string[] = []
  const client = connect({
    url: server.url,
    email: person.email,
    apiKey: person.api_key,
    webSocket: WebSocket,
    register: { event_types: ['message'], apply_markdown: false },
    backoff: { firstMs: 50, maxMs: 500 },
  })
  t.teardown(() => client.close())
  client.on('message', ({ message }) => told.push(message.content))
  client.observe('restarted', () => told.push('a gap'))
  await client.registered
  await send('before')

  // The server keeps working during the dump.
  let sent = 0
  let isDumped = false
  const talking = (async () => {
    while (!isDumped || sent < 20) await send(`meanwhile ${sent++}`)
  })()
  await run(dump, directory, settings)
  isDumped = true
  await talking
  const lost = await send('after')
  await until(() => told.includes('after'))
  const lastEventId = client.position?.lastEventId ?? Infinity
  t.match(readFileSync(join(directory, 'parley.list'), 'utf8'), /TABLE DATA \S+ messages /)

  await server.stop()
  await run(restore, directory, settings)
  t.equal((await redisKeys(redisUrl)).length, 0)
  const again = await spawnServer(t, { PORT: port }, organization)
  t.equal(again.url, server.url)

  // The client may be waiting for its next attempt.
  client.retry()
  await until(() => told.includes('a gap'))
  t.equal(client.state, 'live', 'the client has registered anew by itself')
  const { messages } = (await person.ok('GET', '/messages', {
    anchor: 'newest',
    num_before: 1000,
    num_after: 0,
    apply_markdown: false,
  })) as { messages: { id: number; content: string }[] }
  const contents = messages.map(({ content }) => content)
  const whole = ['before', ...Array.from({ length: sent }, (_, i) => `meanwhile ${i}`)]
  t.same(contents, whole.slice(0, contents.length), 'what there was at one moment, without a hole')
  t.ok(contents.length >= 1)

  const anew = await send('anew')
  await until(() => told.at(-1) === 'anew')
  t.ok((client.position?.lastEventId ?? 0) > lastEventId, 'ids of events never go back')
  t.ok(anew.id <= lost.id, 'ids of messages that were lost are given again, as the document says')
  t.equal(told.indexOf('anew'), told.indexOf('a gap') + 1, 'nothing comes between the gap and what is new')
})

t.test('the directory of the embedded databases, brought to another place', async t => {
  const home = dataDirectory(t)
  const [old, other] = [join(home, 'old'), join(home, 'other')]
  const first = runProgram(t, { DATA_DIR: old, DEMO: '1', WORKERS: '1' })
  const url = (await first.ready).trim().replace(/^ready /, '')
  const [owner] = JSON.parse(readFileSync(join(old, 'demo.json'), 'utf8'))
  const before = new Api(url, owner)
  const { queue_id, last_event_id } = await before.ok('POST', '/register', { event_types: ['message'] })
  const { id } = await before.ok('POST', '/messages', { type: 'direct', to: [owner.user_id], content: 'kept' })
  first.process.kill('SIGTERM')
  t.equal((await first.ended).how, 0)

  await run(archive, home, { DATA_DIR: old })
  renameSync(old, join(home, 'gone'))
  await run(unpack, home, { DATA_DIR: other })
  t.ok(existsSync(join(other, 'postgres')))

  const second = runProgram(t, { DATA_DIR: other, DEMO: '1', WORKERS: '1' })
  const after = new Api((await second.ready).trim().replace(/^ready /, ''), owner)
  const { events } = await after.ok('GET', '/events', { queue_id, last_event_id, dont_block: true })
  t.match(events, [{ type: 'message', message: { id, content: 'kept' } }], 'the queue goes on where it was')
})

async function redisKeys(url: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('redis-cli', ['-e', '-u', url, 'keys', '*'])
  return stdout.split('\n').filter(line => line !== '')
}
