import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import WebSocket from 'ws'
import type { WorkerCtx } from '../../../server/ctx.js'
import { until } from '../../http/until.js'
import { SocketClient } from '../../socket/socket-client.js'
import { Api, basic } from '../../support/http.js'
import { Listener } from '../../support/in-step.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import type { Teardown } from '../../support/services.js'

const path = '/users/me/api_key/regenerate'

/** A socket with a queue, like a client's. */
async function connect(t: Teardown, url: string, person: Person): Promise<SocketClient> {
  const headers = { Authorization: basic(person) }
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/socket`, ['chat.v1.json'], { headers })
  t.teardown(() => socket.terminate())
  const client = new SocketClient(socket)
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))
  await client.send({ op: 'register', id: 1, params: { fetch_event_types: [] } }).reply(1)
  return client
}

t.test('the former key fails on every worker, and what was opened with it is closed', async t => {
  const server = await startServer(t)
  const other = await startServer(t, {}, server.organization)
  const [person, bystander] = [await server.person(), await server.person({ role: 200 })]
  const elsewhere = new Api(other.url, person)
  await elsewhere.ok('GET', '/users/me')
  const sockets = [await connect(t, server.url, person), await connect(t, other.url, person)]
  const idle = new SocketClient(new WebSocket(`${server.url.replace('http', 'ws')}/api/v1/socket`, ['chat.v1.json']))
  await new Promise(resolve => idle.socket.on('open', resolve))
  await idle.send({ op: 'auth', id: 1, email: person.email, api_key: person.api_key }).reply(1)
  const stays = await connect(t, other.url, bystander)
  const listener = await Listener.start(server.ctx, bystander)

  const { result, msg, ...answer } = await person.ok('POST', path)
  t.match(answer.api_key, /^[A-Za-z0-9]{32}$/)
  t.same(Object.keys(answer), ['api_key'])
  t.match(await person.get('/users/me'), { status: 401, body: { code: 'UNAUTHORIZED' } }, 'at once')
  for (const socket of sockets) t.equal((await socket.closed()).code, 4001)
  idle.send({ op: 'request', id: 2, method: 'GET', path: '/users/me' })
  t.equal((await idle.closed()).code, 4001, 'one without a queue, when it asks for something')
  await until(() => !other.ctx.directory.usersByApiKey.has(person.api_key))
  t.match(await elsewhere.get('/users/me'), { status: 401, body: { code: 'UNAUTHORIZED' } })
  const renewed = { email: person.email, api_key: answer.api_key as string }
  for (const url of [server.url, other.url]) {
    t.equal((await new Api(url, renewed).ok('GET', '/users/me')).user_id, person.id)
  }
  t.same(await listener.inStep(t), [], 'nobody else is told')
  stays.send({ op: 'request', id: 2, method: 'GET', path: '/users/me' })
  t.equal((await stays.reply(2)).status, 200)
})

/** Has the worker learn of changes of the directory as late as a busy one. */
function slow({ ctx: { directory } }: { ctx: WorkerCtx }, delay: () => Promise<unknown>): void {
  const fresh = directory.fresh.bind(directory)
  directory.fresh = async () => {
    await delay()
    await fresh()
  }
}

t.test('the answer comes when a busy worker refuses the former key, too, and has closed its sockets', async t => {
  const server = await startServer(t)
  const other = await startServer(t, {}, server.organization)
  await until(() => server.ctx.realtime.recallDirectories(1000))
  const admin = await server.person({ role: 100 })
  slow(other, () => sleep(100))
  for (const end of ['regenerate', 'deactivate', 'leave'] as const) {
    const person = await server.person()
    const elsewhere = new Api(other.url, person)
    await elsewhere.ok('GET', '/saved_snippets')
    const socket = await connect(t, other.url, person)
    if (end === 'regenerate') await person.ok('POST', path)
    else if (end === 'deactivate') await admin.ok('DELETE', `/users/${person.id}`)
    else await person.ok('DELETE', '/users/me')
    t.notOk(other.ctx.directory.usersByApiKey.get(person.api_key)?.is_active, end)
    t.match(await elsewhere.get('/saved_snippets'), { status: 401, body: { code: 'UNAUTHORIZED' } }, end)
    t.equal((await socket.closed()).code, 4001, end)
  }
})

t.test('a worker that hangs holds up the answer for a second, and catches up', async t => {
  const server = await startServer(t)
  const other = await startServer(t, {}, server.organization)
  await until(() => server.ctx.realtime.recallDirectories(1000))
  let goOn = () => {}
  const hanging = new Promise<void>(resolve => {
    goOn = resolve
  })
  slow(other, () => hanging)
  const person = await server.person()
  const { api_key } = await person.ok('POST', path)
  t.match(api_key, /^[A-Za-z0-9]{32}$/)
  t.equal((await person.get('/users/me')).status, 401)
  goOn()
  await until(() => other.ctx.directory.usersByApiKey.has(api_key as string))
  t.equal((await new Api(other.url, person).get('/users/me')).status, 401)
})

t.test('bots and guests may; of several at once one key is left', async t => {
  const server = await startServer(t)
  for (const options of [{ bot_type: 1 }, { role: 600 }] as const) {
    const person = await server.person(options)
    const answers = await Promise.all([1, 2, 3].map(() => person.post(path)))
    const keys = answers.filter(answer => answer.status === 200).map(answer => answer.body.api_key as string)
    const statuses = await Promise.all(
      keys.map(async api_key => (await new Api(server.url, { email: person.email, api_key }).get('/users/me')).status),
    )
    t.equal(statuses.filter(status => status === 200).length, 1)
    t.equal((await person.get('/users/me')).status, 401)
  }
})

t.test('callers without a key and incoming webhooks are refused', async t => {
  const server = await startServer(t)
  const hook = await server.person({ bot_type: 2 })
  for (const api of [server.api(null), hook, server.api({ email: hook.email, api_key: 'x'.repeat(32) })]) {
    t.match(await api.post(path), { status: 401, body: { code: 'UNAUTHORIZED' } })
  }
  const person = await server.person()
  t.same((await person.ok('POST', path, { old: 'x' })).ignored_parameters_unsupported, ['old'])
})
