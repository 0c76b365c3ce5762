import { type ClientRequest, get, type IncomingMessage } from 'node:http'
import t from 'tap'
import { EventStream } from '../../../server/api/event-stream.js'
import { realmUserUpdate } from '../../../shared/events/realm-user.js'
import { closeCodes } from '../../../shared/wire/close-codes.js'
import { basic } from '../../support/http.js'
import type { Person } from '../../support/people.js'
import { until } from '../../support/redis-node.js'
import { startServer } from '../../support/server.js'
import type { Teardown } from '../../support/services.js'

const server = await startServer(t)
const register = async (person: Person): Promise<string> =>
  (await person.ok('POST', '/register', { fetch_event_types: [] })).queue_id
const ann = await server.person()
const bob = await server.person()
/** An event for Ann. */
const renamed = (full_name: string) =>
  server.ctx.write(async (_tx, emit) => emit(realmUserUpdate, { person: { user_id: bob.id, full_name } }, [ann.id]))

interface Sent {
  readonly type: string
  readonly id: string
  // biome-ignore lint/suspicious/noExplicitAny: events of every type
  readonly data: any
}

/** A client of server-sent events. */
class Stream {
  /** What has arrived after the last whole event. */
  text = ''
  readonly events: Sent[] = []
  ended = false

  constructor(
    readonly request: ClientRequest,
    readonly response: IncomingMessage,
  ) {
    response.setEncoding('utf8').on('data', text => this.take(text))
    response.once('close', () => {
      this.ended = true
    })
  }

  private take(text: string): void {
    const blocks = (this.text + text).split('\n\n')
    this.text = blocks.pop() as string
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split('\n').map(line => /^(\w+): (.*)$/.exec(line)?.slice(1) ?? []))
      if (fields.data)
        this.events.push({ type: fields.event ?? '', id: fields.id ?? '', data: JSON.parse(fields.data) })
    }
  }

  names(): string[] {
    return this.events.filter(({ data }) => data.person).map(({ data }) => data.person.full_name)
  }
}

interface Asked {
  readonly who?: Person | null
  readonly last_event_id?: string
  readonly returning?: string
  readonly accept?: string
  readonly more?: string
}

function open(
  t: Teardown,
  queue: string,
  { who = ann, last_event_id = '-1', returning, accept = 'text/event-stream', more = '' }: Asked = {},
): Promise<Stream> {
  const headers = {
    accept,
    ...(who && { authorization: basic(who) }),
    ...(returning !== undefined && { 'last-event-id': returning }),
  }
  return new Promise((resolve, reject) => {
    const url = `${server.url}/api/v1/events?queue_id=${queue}&last_event_id=${last_event_id}${more}`
    const request = get(url, { headers, agent: false }, response => resolve(new Stream(request, response)))
    request.on('error', reject)
    t.teardown(() => request.destroy())
  })
}

async function refusal(t: Teardown, queue: string, asked: Asked) {
  const stream = await open(t, queue, asked)
  await until(() => stream.ended)
  const { statusCode: status, headers } = stream.response
  return { status, type: headers['content-type'], ...JSON.parse(stream.text) }
}

t.test('a stream has each event once, at once, and continues after the last id of a client that returns', async t => {
  const queue = await register(ann)
  await renamed('Before')
  const stream = await open(t, queue)
  t.match(stream.response, {
    statusCode: 200,
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-accel-buffering': 'no',
    },
  })
  await until(() => stream.names().length === 1)
  await renamed('One\nline ')
  await renamed('Two')
  await until(() => stream.names().length === 3)
  t.same(stream.names(), ['Before', 'One\nline ', 'Two'])
  const events = [...stream.events]
  for (const { id, data } of events) t.equal(id, String(data.id))
  t.notOk(stream.ended)

  stream.request.destroy()
  const second = await open(t, queue, { returning: events[1]?.id })
  await renamed('Three')
  await until(() => second.names().length === 2)
  t.same(second.names(), ['Two', 'Three'], 'the header wins over the parameter')

  second.request.destroy()
  const refused = await refusal(t, queue, { returning: events[0]?.id })
  t.match(refused, { status: 400, type: 'application/json', code: 'BAD_REQUEST' }, 'what was acknowledged is gone')
})

t.test('polls and streams take turns on a queue, and the former reader gets the reason', async t => {
  const queue = await register(ann)
  const first = await open(t, queue)
  const second = await open(t, queue)
  await until(() => first.ended)
  t.match(first.events, [{ type: 'closed', data: { code: 4009 } }])
  await renamed('For the second')
  await until(() => second.names().length === 1)
  const { events } = await ann.ok('GET', '/events', { queue_id: queue, last_event_id: -1 })
  t.match(events, [{ person: { full_name: 'For the second' } }], 'a stream acknowledges nothing')
  await until(() => second.ended)

  const poll = ann.get('/events', { queue_id: queue, last_event_id: events[0].id })
  // It waits: then the stream takes its place.
  await until(() => server.ctx.realtime.stats().polls === 1)
  await open(t, queue, { last_event_id: String(events[0].id) })
  t.match((await poll).body, { result: 'success', events: [] })
})

t.test('only a client that accepts a stream and waits gets one', async t => {
  const queue = await register(ann)
  await renamed('Due')
  for (const asked of [
    { accept: '*/*' },
    { accept: 'application/json' },
    { accept: 'text/event-streams' },
    { more: '&dont_block=true' },
  ]) {
    t.match(
      await refusal(t, queue, asked),
      { status: 200, type: 'application/json', result: 'success' },
      JSON.stringify(asked),
    )
  }
  for (const accept of ['application/json, Text/Event-Stream;q=0.5', 'text/event-stream, */*']) {
    t.equal((await open(t, queue, { accept })).response.headers['content-type'], 'text/event-stream', accept)
  }
})

t.test('refusals are those of a poll', async t => {
  const queue = await register(ann)
  const refusals: [string, Asked, number, string][] = [
    ['nonsense', {}, 400, 'BAD_EVENT_QUEUE_ID'],
    [queue, { who: bob }, 400, 'BAD_EVENT_QUEUE_ID'],
    [queue, { who: null }, 401, 'UNAUTHORIZED'],
    [queue, { last_event_id: '5' }, 400, 'BAD_REQUEST'],
    [queue, { last_event_id: 'x' }, 400, 'BAD_REQUEST'],
    ...['5', 'x', '1.5', '-2', '1e3', '99999999999999999', '9007199254740993'].map(
      (returning): [string, Asked, number, string] => [queue, { returning }, 400, 'BAD_REQUEST'],
    ),
  ]
  for (const [id, asked, status, code] of refusals) {
    t.match(await refusal(t, id, asked), { status, type: 'application/json', code }, JSON.stringify(asked))
  }
  t.equal((await open(t, queue)).response.statusCode, 200, 'the queue is unharmed')
})

t.test('a stream that has sent much ends, and nothing is lost on the way', { timeout: 120_000 }, async t => {
  const queue = await register(ann)
  // 8 MB in all: a stream ends after four.
  const long = 'x'.repeat(40_000)
  const names = Array.from({ length: 200 }, (_, n) => `${n} ${long}`)
  const got: string[] = []
  let last = '-1'
  let streams = 0
  const writing = (async () => {
    for (const name of names) await renamed(name)
  })()
  while (got.length < names.length) {
    streams++
    const stream = await open(t, queue, { returning: last })
    await until(() => stream.ended || got.length + stream.names().length >= names.length)
    got.push(...stream.names())
    last = stream.events.at(-1)?.id ?? last
    stream.request.destroy()
  }
  await writing
  t.ok(streams >= 2, 'one ended by itself')
  t.same(
    got.map(name => name.split(' ')[0]),
    names.map(name => name.split(' ')[0]),
  )
})

t.test('a client that reads nothing loses nothing, and its stream ends', { timeout: 120_000 }, async t => {
  await until(() => server.ctx.realtime.stats().attached === 0)
  const queue = await register(ann)
  const stream = await open(t, queue)
  stream.response.pause()
  const long = 'y'.repeat(60_000)
  const names = Array.from({ length: 120 }, (_, n) => `${n} ${long}`)
  for (const name of names) await renamed(name)
  await until(() => server.ctx.realtime.stats().attached === 0)
  stream.response.resume()
  await until(() => stream.ended)
  const before = stream.names()
  const rest = await open(t, queue, { returning: stream.events.at(-1)?.id ?? '-1' })
  await until(() => before.length + rest.names().length === names.length)
  t.same([...before, ...rest.names()], names)
})

t.test('the engine waits for a connection that is full', async t => {
  const calls: string[] = []
  const signal = { aborted: false, addEventListener() {} }
  const stream = new EventStream(signal)
  const attachment = {
    queueId: 'q',
    acknowledge: () => calls.push('acknowledge'),
    drained: () => calls.push('drained'),
    detach: () => calls.push('detach'),
  }
  let isTaken = true
  const target = {
    write(bytes: Uint8Array | string) {
      calls.push(Buffer.from(bytes as string).toString())
      return isTaken
    },
    end: () => calls.push('end'),
  }
  const frame = (text: string) => Buffer.from(text)
  stream.attached(attachment)
  t.equal(stream.send(frame('early')), true, 'before the head is written')
  stream.open(target)
  t.same(calls.splice(0), ['retry: 1000\n\n', 'early'])
  isTaken = false
  t.equal(stream.send(frame('full')), false)
  t.equal(stream.buffered(), 4)
  stream.drained()
  t.equal(stream.buffered(), 0)
  stream.close(closeCodes.tooSlow, 'reads too slowly')
  t.equal(stream.send(frame('late')), false)
  await Promise.resolve()
  t.same(calls, ['full', 'drained', 'end', 'detach'], 'nothing more is written to a full connection')

  const late = new EventStream(signal)
  late.close(closeCodes.queueGone, 'gone')
  await Promise.resolve()
  late.attached(attachment)
  late.open(target)
  await Promise.resolve()
  t.same(calls.slice(4), ['detach', 'end'], 'a queue that ended before the head was written')
})

t.test('a stream ends with its client, its queue, its account and its server', async t => {
  const attached = () => server.ctx.realtime.stats().attached
  await until(() => attached() === 0)
  const queue = await register(ann)
  const leaving = await open(t, queue)
  await until(() => attached() === 1)
  leaving.request.destroy()
  await until(() => attached() === 0)

  const dropped = await open(t, queue)
  await ann.ok('DELETE', '/events', { queue_id: queue })
  await until(() => dropped.ended)
  t.match(dropped.events, [{ type: 'closed', data: { code: 4010 } }])
  t.match(await refusal(t, queue, { returning: '-1' }), { status: 400, code: 'BAD_EVENT_QUEUE_ID' })

  const carol = await server.person()
  const hers = await open(t, await register(carol), { who: carol })
  const other = await startServer(t, {}, server.organization)
  await carol.ok('POST', '/users/me/api_key/regenerate')
  await until(() => hers.ended)
  t.match(hers.events, [{ type: 'closed', data: { code: 4001 } }])

  const last = await open(t, await register(ann))
  await server.stop()
  await until(() => last.ended)
  t.same(last.events, [], 'it returns, and continues at another worker')
  const there = `${other.url}/api/v1/events?queue_id=${new URL(`http://x${last.request.path}`).searchParams.get('queue_id')}&last_event_id=-1`
  const headers = { accept: 'text/event-stream', authorization: basic(ann) }
  const [status, request] = await new Promise<[number | undefined, ClientRequest]>((resolve, reject) => {
    const asked = get(there, { headers, agent: false }, response => resolve([response.statusCode, asked])).on(
      'error',
      reject,
    )
  })
  request.destroy()
  t.equal(status, 200)
})
