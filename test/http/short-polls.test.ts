import t from 'tap'
import type { PollReceiver } from '../../server/realtime/realtime.js'
import { ApiError } from '../../shared/errors.js'
import { ann, basic, type FakeServer, fakeServer, keys, type Teardown } from './fake-server.js'
import { until } from './until.js'

const hook = basic('hook@example.org', keys.hook)
const usual = '/events?queue_id=q-1&last_event_id=7'

// No window of a rate limit ends during a test.
const still = { now: () => 1_790_000_000_000 }

/** A server that remembers the credentials of its callers. */
async function start(t: Teardown, settings: Record<string, string> = {}) {
  const fake = await fakeServer(t, settings, { clock: still })
  for (const who of [ann, hook]) await ask(fake, '/users/me', who)
  fake.calls.length = 0
  return fake
}

async function ask(fake: FakeServer, path: string, who = ann, init: RequestInit = {}) {
  const response = await fetch(fake.url + path, { ...init, headers: { Authorization: who, ...init.headers } })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text }
}

function receiverOf({ engine }: FakeServer): PollReceiver {
  if (!engine.short) throw new Error('no poll waits on the short path')
  return engine.short.receiver
}

/** Asks for events; resolves when the poll waits on the short path. */
async function wait(fake: FakeServer, path = usual, init: RequestInit = {}) {
  fake.engine.short = undefined
  const answer = ask(fake, path, ann, init)
  await until(() => fake.engine.short !== undefined)
  return { answer, receiver: receiverOf(fake) }
}

/** Makes a poll, and answers it. Returns how many requests its account has left. */
async function remaining(fake: FakeServer, events = '{"id":8}'): Promise<number> {
  const { answer, receiver } = await wait(fake)
  receiver.answered(given(events))
  return Number((await answer).headers.get('X-RateLimit-Remaining'))
}

const given = (events: string, queueId = 'q-1') => ({
  queueId,
  events: [events],
  field: Buffer.from(`"events":[${events}]`),
})

t.test('a usual poll waits without its operation, and its answer looks like that of the steps', async t => {
  const fake = await start(t)
  const { answer, receiver } = await wait(fake)
  t.match(fake.engine.short, { queueId: 'q-1', lastEventId: 7 })
  t.equal(fake.figures().inProgress, 1)
  receiver.answered(given('{"id":8}'))
  const short = await answer
  t.equal(short.text, '{"result":"success","msg":"","events":[{"id":8}],"queue_id":"q-1"}')
  t.same(fake.calls, [])
  t.equal(fake.figures().inProgress, 0)

  const steps = await ask(fake, '/events?last_event_id=7&queue_id=q-1')
  t.same(fake.calls, ['get_events'])
  t.same([short.status, [...short.headers.keys()]], [steps.status, [...steps.headers.keys()]])
})

t.test('polls of one turn share bytes, and each gets its own queue id', async t => {
  const fake = await start(t)
  const ids = ['a', 'b', 'longer', 'c']
  const polls: Awaited<ReturnType<typeof wait>>[] = []
  for (const id of ids) polls.push(await wait(fake, `/events?queue_id=${id}&last_event_id=-1`))
  const shared = given('{"id":8}')
  polls.forEach(({ receiver }, i) => {
    receiver.answered({ ...shared, queueId: ids[i] as string })
  })
  for (const [i, { answer }] of polls.entries()) {
    t.same(JSON.parse((await answer).text), { result: 'success', msg: '', events: [{ id: 8 }], queue_id: ids[i] })
  }
})

t.test('what differs from a usual poll takes the steps', async t => {
  const fake = await start(t)
  const unusual: readonly (readonly [path: string, who?: string, init?: RequestInit])[] = [
    [`${usual}&dont_block=true`],
    ['/events?queue_id=q%2D1&last_event_id=7'],
    ['/events?last_event_id=7&queue_id=q-1'],
    ['/events?queue_id=elsewhere&last_event_id=7'],
    [usual, basic('ANN@example.org', keys.ann)],
    [usual, ann, { method: 'HEAD' }],
  ]
  for (const [path, who, init] of unusual) {
    fake.calls.length = 0
    t.equal((await ask(fake, path, who, init)).status, 200, path)
    t.same(fake.calls, ['get_events'], path)
  }
  t.equal(fake.engine.short, undefined)
  t.equal((await ask(fake, usual, basic('ann@example.org', keys.admin))).status, 401)
  t.match(JSON.parse((await ask(fake, usual, hook)).text), { code: 'UNAUTHORIZED' })
})

t.test('polls count against the rate limit of their account', async t => {
  const fake = await start(t, { RATE_LIMIT_USER: '20' })
  // The earlier request counts as several if it took long.
  const left = await remaining(fake)
  t.ok(left > 0 && left < 19, `${left} requests left`)
  for (let next = left - 1; next >= 0; next--) t.equal(await remaining(fake), next)
  t.equal((await ask(fake, usual)).status, 429)
})

t.test('a long answer arrives whole, and counts as several requests', async t => {
  const fake = await start(t, { RATE_LIMIT_USER: '1000' })
  const before = await remaining(fake)
  const { answer, receiver } = await wait(fake)
  const long = given(JSON.stringify('x'.repeat(3_000_000)))
  receiver.answered(long)
  const { text, headers } = await answer
  t.equal(text, `{"result":"success","msg":"",${long.field},"queue_id":"q-1"}`)
  t.equal(Number(headers.get('X-RateLimit-Remaining')), before - 3, 'the poll, and two for its length')
})

t.test('an error of the engine is the answer', async t => {
  const fake = await start(t)
  const { answer, receiver } = await wait(fake)
  receiver.failed(new ApiError('BAD_EVENT_QUEUE_ID', 'Bad event queue id: q-1', { queue_id: 'q-1' }))
  const { status, text } = await answer
  t.equal(status, 400)
  t.match(JSON.parse(text), { result: 'error', code: 'BAD_EVENT_QUEUE_ID', queue_id: 'q-1' })
})

t.test('an answer that cannot be made is an error, and the poll does not wait on', async t => {
  const fake = await start(t)
  const { answer, receiver } = await wait(fake)
  receiver.answered({
    queueId: 'q-1',
    events: [],
    get field(): Uint8Array {
      throw new Error('broken')
    },
  })
  t.match(JSON.parse((await answer).text), { result: 'error', code: 'INTERNAL_ERROR' })
})

t.test('a caller that leaves ends its poll, and nothing is written to it', async t => {
  const fake = await start(t)
  const leaving = new AbortController()
  const { answer, receiver } = await wait(fake, usual, { signal: leaving.signal })
  leaving.abort()
  await t.rejects(answer)
  await until(() => fake.engine.short === undefined)
  receiver.answered(given('{"id":8}'))
  t.equal((await ask(fake, '/users/me')).status, 200)
})

t.test('pages of allowed origins may read the answer', async t => {
  const fake = await start(t, { ALLOWED_ORIGINS: 'https://chat.example' })
  const { answer, receiver } = await wait(fake, usual, { headers: { Origin: 'https://chat.example' } })
  receiver.answered(given('{"id":8}'))
  t.equal((await answer).headers.get('Access-Control-Allow-Origin'), 'https://chat.example')
})
