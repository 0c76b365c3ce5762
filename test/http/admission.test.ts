import t from 'tap'
import { basic } from '../support/http.js'
import type { Person } from '../support/people.js'
import { startServer } from '../support/server.js'

const server = await startServer(t, { RATE_LIMIT_USER: '20' })

/** No rate-limit window ends during a test. */
const now = Date.now()
server.ctx.clock.now = () => now

type Who = Pick<Person, 'email' | 'api_key'>

const tus = { 'Tus-Resumable': '1.0.0', 'Upload-Length': '1' }
const doors: Readonly<Record<string, (who: Who) => Promise<Response>>> = {
  operation: who => ask('GET', '/api/v1/users/me', who),
  poll: who => ask('GET', '/api/v1/events?queue_id=x&last_event_id=-1', who),
  tus: who => ask('POST', '/api/v1/tus/', who, tus),
  file: who => ask('GET', '/user_uploads/1/00/none/a.txt', who),
}

function ask(method: string, path: string, who: Who, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(server.url + path, { method, headers: { ...headers, Authorization: basic(who) } })
}

async function outcome(answer: Response): Promise<readonly [status: number, code: unknown]> {
  return [answer.status, ((await answer.json()) as { code?: unknown }).code]
}

t.test('every door refuses wrong and revoked credentials alike', async t => {
  const person = await server.person()
  const former = { email: person.email, api_key: person.api_key }
  const { status } = await person.post('/users/me/api_key/regenerate', {})
  t.equal(status, 200)
  for (const [name, door] of Object.entries(doors)) {
    t.same(await outcome(await door(former)), [401, 'UNAUTHORIZED'], `${name}, a former key`)
    const unknown = { ...former, api_key: 'x'.repeat(32) }
    t.same(await outcome(await door(unknown)), [401, 'UNAUTHORIZED'], `${name}, a wrong key`)
  }
})

t.test('every door refuses an account without requests left, and credentials come first', async t => {
  const person = await server.person()
  // The limit of files is three times that of requests. While the total of all workers is asked for, a request may be refused, and is not counted.
  for (let n = 0; n < 120; n++) await (await doors.file?.(person))?.arrayBuffer()
  for (let n = 0; n < 60; n++) await (await doors.operation?.(person))?.arrayBuffer()
  for (const [name, door] of Object.entries(doors)) {
    t.same(await outcome(await door(person)), [429, 'RATE_LIMIT_HIT'], name)
    t.same(await outcome(await door({ ...person, api_key: 'x'.repeat(32) })), [401, 'UNAUTHORIZED'], name)
  }
})

t.test('doors other than messages are closed to incoming webhooks', async t => {
  const bot = await server.person({ bot_type: 2 })
  for (const name of ['operation', 'poll', 'tus'] as const) {
    const answer = await doors[name]?.(bot)
    t.same(answer && (await outcome(answer)), [401, 'UNAUTHORIZED'], name)
  }
})
