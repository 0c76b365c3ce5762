import { gunzipSync } from 'node:zlib'
import t from 'tap'
import WebSocket from 'ws'
import { pack, unpack } from '../../shared/wire/codec.js'
import { basic } from '../support/http.js'
import type { Person } from '../support/people.js'
import { startServer } from '../support/server.js'

const server = await startServer(t)
const ann = await server.person({ role: 100 })
await ann.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'long' }] })
for (let n = 0; n < 5; n++)
  await ann.ok('POST', '/messages', { type: 'channel', to: 'long', topic: 'texts', content: `word${n} `.repeat(900) })

// biome-ignore lint/suspicious/noExplicitAny: tests look into frames of every shape
type Body = any

/** A socket that notes how each frame came. */
class Reader {
  readonly frames: { isBinary: boolean; isPacked: boolean; bytes: number; frame: Body }[] = []
  private wake = () => {}

  constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      const isPacked = isBinary && data[0] === 0x1f
      const plain = isPacked ? gunzipSync(data) : data
      const frame = socket.protocol.includes('msgpack') ? unpack(plain) : JSON.parse(plain.toString())
      this.frames.push({ isBinary, isPacked, bytes: data.length, frame })
      this.wake()
    })
  }

  send(frame: Record<string, unknown>): void {
    this.socket.send(this.socket.protocol.includes('msgpack') ? pack(frame) : JSON.stringify(frame))
  }

  async next(passes: (frame: Body) => boolean) {
    for (;;) {
      const found = this.frames.find(({ frame }) => passes(frame))
      if (found) return found
      await new Promise<void>(resolve => {
        this.wake = resolve
      })
    }
  }

  ask(id: number, frame: Record<string, unknown>) {
    this.send({ id, ...frame })
    return this.next(one => one.id === id)
  }
}

async function open(
  t: { teardown(work: () => unknown): unknown },
  protocols: string[],
  who: Person = ann,
): Promise<Reader> {
  const url = `${server.url.replace('http', 'ws')}/api/v1/socket`
  const socket = new WebSocket(url, protocols, { headers: { Authorization: basic(who) } })
  t.teardown(() => socket.terminate())
  const reader = new Reader(socket)
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  return reader
}

const page = { op: 'request', method: 'GET', path: '/messages?anchor=newest&num_before=9&num_after=0' }
const register = { op: 'register' }

for (const codec of ['json', 'msgpack'] as const) {
  t.test(`${codec}: large replies are compressed where the client asked for it, and nothing else`, async t => {
    const [plain, packed] = [await open(t, [`chat.v1.${codec}`]), await open(t, [`chat.v1.${codec}.gzip`])]
    t.equal(packed.socket.protocol, `chat.v1.${codec}.gzip`)
    const [whole, small] = [await plain.ask(1, page), await packed.ask(1, page)]
    t.match([whole, small], [{ isPacked: false }, { isPacked: true, isBinary: true }])
    t.same(small.frame, whole.frame)
    t.ok(small.bytes < whole.bytes / 5, `${small.bytes} of ${whole.bytes} bytes`)
    const registered = await packed.ask(2, register)
    t.match(registered, { isPacked: true, frame: { op: 'reply', status: 200, body: { last_event_id: -1 } } })
    await ann.ok('POST', '/messages', { type: 'channel', to: 'long', topic: 'texts', content: 'z'.repeat(9000) })
    const events = await packed.next(({ op }) => op === 'events')
    t.match(events, { isPacked: false, isBinary: codec === 'msgpack' }, 'events are not')
    t.ok(packed.frames.indexOf(registered) < packed.frames.indexOf(events), 'the reply comes before the events')
    t.match(await packed.ask(3, { ...page, path: '/users/me' }), { isPacked: false }, 'short replies are not')
    t.match(await packed.ask(4, { ...page, path: '/nowhere' }), { isPacked: false, frame: { status: 404 } })
    t.match(await packed.ask(5, { ...page, path: '/invites' }), { isPacked: false, frame: { status: 200 } })
  })
}

t.test('a secret answer is not compressed, however long', async t => {
  for (let n = 0; n < 100; n++)
    await ann.ok('POST', '/invites/multiuse', { invite_expires_in_minutes: 60, stream_ids: [] })
  const packed = await open(t, ['chat.v1.json.gzip'])
  const invites = await packed.ask(1, { ...page, path: '/invites' })
  t.match(invites, { isPacked: false, isBinary: false })
  t.ok(invites.bytes > 16 * 1024)
})

t.test('the server takes the first subprotocol that it knows, also an older one', async t => {
  for (const [offered, chosen] of [
    [['chat.v1.json.gzip', 'chat.v1.json'], 'chat.v1.json.gzip'],
    [['chat.v1.json', 'chat.v1.json.gzip'], 'chat.v1.json'],
    [['chat.v1.json.br', 'chat.v1.msgpack'], 'chat.v1.msgpack'],
  ] as const)
    t.equal((await open(t, [...offered])).socket.protocol, chosen)
  for (const unknown of ['chat.v1.json.br', 'chat.v1.gzip', 'chat.v1.json.GZIP', 'gzip'])
    await t.rejects(open(t, [unknown]), /400/, unknown)
})

t.test('a client sends no compressed frames', async t => {
  const packed = await open(t, ['chat.v1.json.gzip'])
  packed.socket.send(Buffer.from([0x1f, 0x8b, 8, 0]))
  t.match((await packed.next(({ op }) => op === 'error')).frame, { code: 'BAD_REQUEST' })
})

t.test('a socket that closes while its reply is compressed ends like any other, and its queue stays', async t => {
  const packed = await open(t, ['chat.v1.json.gzip'])
  for (let id = 1; id < 20; id++) packed.send({ ...page, id })
  packed.socket.terminate()
  const again = await open(t, ['chat.v1.json.gzip'])
  t.match(await again.ask(1, page), { isPacked: true, frame: { status: 200 } })
})
