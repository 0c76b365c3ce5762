// The commands of docs/operations.md and docs/deployment.md about backups, as they are written there.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import WebSocket from 'ws'
import { projectRoot } from '../../../server/config/paths.js'
import { connect } from '../../../shared/client/index.js'
import { until } from '../../support/client-log.js'
import { readFile, upload } from '../../support/files.js'
import { Api } from '../../support/http.js'
import { spawnServer } from '../../support/server.js'
import { readSteps } from '../documents/read-commands.js'
import { dataDirectory } from '../places.js'
import { runProgram } from '../program.js'

const boxes = (file: string) => readSteps(file, 'Backup and restore').map(({ commands }) => commands)
const [backUp, restoreEmbedded, restoreOwn] = boxes('docs/operations.md')
const [archive, unpack] = boxes('docs/deployment.md')

async function run(commands: string | undefined, settings: Record<string, string>, cwd = projectRoot): Promise<string> {
  if (!commands) throw new Error('a document lacks a box of commands')
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...settings }
  return (await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', commands], { cwd, env })).stdout
}

t.test('own databases: a backup while clients write, a loss, and a restore beside what was there', async t => {
  const server = await spawnServer(t)
  const { organization } = server
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

  let sent = 0
  let isDone = false
  const talking = (async () => {
    while (!isDone || sent < 20) await send(`meanwhile ${sent++}`)
  })()
  const [backups, drill] = [dataDirectory(t), dataDirectory(t)]
  const settings = organization.env({ BACKUPS: backups, DRILL: drill, DATA_DIR: dataDirectory(t) })
  t.match(await run(backUp, settings), /parley\.tar\.zst is whole: /)
  isDone = true
  await talking
  const lost = await send('after')
  await until(() => told.includes('after'))
  const lastEventId = client.position?.lastEventId ?? Infinity

  await server.stop()
  t.match(await run(restoreOwn, settings), /^restored Parley \(/m)
  const place = { DATABASE_SCHEMA: 'parley_drill', KEY_PREFIX: 'parley_drill', DATA_DIR: drill }
  const again = await spawnServer(t, { PORT: port, ...place }, organization)
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
  // The newest ones, at most a page.
  const from = whole.indexOf(contents[0] ?? '')
  t.same(contents, whole.slice(from, from + contents.length), 'what there was at one moment, without a hole')
  t.ok(contents.length >= 1)

  const anew = await send('anew')
  await until(() => told.at(-1) === 'anew')
  t.ok((client.position?.lastEventId ?? 0) > lastEventId, 'ids of events never go back')
  t.ok(anew.id <= lost.id, 'ids of messages that were lost are given again, as the document says')
  t.equal(told.indexOf('anew'), told.indexOf('a gap') + 1, 'nothing comes between the gap and what is new')
})

const started = (ready: string) => ready.trim().replace(/^ready /, '')

t.test('embedded databases', async t => {
  const home = dataDirectory(t)
  const [old, other, drill] = [join(home, 'old'), join(home, 'other'), join(home, 'drill')]
  const first = runProgram(t, { DATA_DIR: old, DEMO: '1', WORKERS: '1' })
  const url = started(await first.ready)
  const [owner] = JSON.parse(readFileSync(join(old, 'demo.json'), 'utf8'))
  const before = new Api(url, owner)
  const { queue_id, last_event_id } = await before.ok('POST', '/register', { event_types: ['message'] })
  const path = await upload(url, owner, { name: 'a.txt', bytes: 'text' })
  const content = `kept [a](${path})`
  const { id } = await before.ok('POST', '/messages', { type: 'direct', to: [owner.user_id], content })

  await t.test('a backup of the server that runs, restored in another place', async t => {
    await run(backUp, { DATA_DIR: old, BACKUPS: home })
    await run(restoreEmbedded, { DRILL: drill, BACKUPS: home })
    const restored = runProgram(t, { DATA_DIR: drill, DEMO: '1', WORKERS: '1' })
    const there = started(await restored.ready)
    const api = new Api(there, owner)
    t.match(await api.ok('GET', `/messages/${id}`, { apply_markdown: false }), { message: { content } })
    t.equal(await (await readFile(there, owner, path)).text(), 'text')
    t.match(await api.call('GET', '/events', { queue_id, last_event_id }), { body: { code: 'BAD_EVENT_QUEUE_ID' } })
    const log = await run('npm run admin -- audit list --json', { DATA_DIR: drill })
    t.match(log, /"restore".*"backup"/s)
    restored.process.kill('SIGTERM')
    t.equal((await restored.ended).how, 0)
  })

  await t.test('the directory of a server that is stopped, brought to another place', async t => {
    first.process.kill('SIGTERM')
    t.equal((await first.ended).how, 0)
    await run(archive, { DATA_DIR: old }, home)
    renameSync(old, join(home, 'gone'))
    await run(unpack, { DATA_DIR: other }, home)
    t.ok(existsSync(join(other, 'postgres')))
    const second = runProgram(t, { DATA_DIR: other, DEMO: '1', WORKERS: '1' })
    const after = new Api(started(await second.ready), owner)
    const { events } = await after.ok('GET', '/events', { queue_id, last_event_id, dont_block: true })
    t.match(events, [{ type: 'message', message: { id } }], 'the queue goes on where it was')
  })
})
