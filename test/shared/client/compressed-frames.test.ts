import t from 'tap'
import type { ServerFrame } from '../../../shared/wire/frames.js'
import { loggedClient, until } from '../../support/client-log.js'
import { fakeServer } from '../../support/client-server.js'

const who = { email: 'iago@test.example', apiKey: 'secret', isCompressed: true }

/** A server that compresses the replies to requests. */
async function compressing(t: { teardown(work: () => unknown): unknown }) {
  const server = await fakeServer(t)
  server.answer = (frame, peer) => {
    if (frame.op !== 'request') return undefined
    const body = { result: 'success', msg: '', path: frame.path, text: 'ä'.repeat(100_000) }
    peer.sendCompressed({ op: 'reply', id: frame.id as number, status: 200, body })
    // They arrive while the reply is decompressed.
    peer.events(16, 32)
    peer.events(48)
    return 'nothing'
  }
  return server
}

for (const codec of ['json', 'msgpack'] as const) {
  t.test(`${codec}: a compressed reply is handled before what comes after it`, async t => {
    const server = await compressing(t)
    const { client, ids } = loggedClient(t, { ...who, url: server.url, codec, register: {} })
    await client.registered
    t.equal(server.peer.socket.protocol, `chat.v1.${codec}.gzip`)
    const seen: unknown[] = []
    client.on('*', event => seen.push(event.id))
    const answer = client.request('GET', '/messages').then(body => {
      seen.push(body.path)
      return body
    })
    t.match(await answer, { path: '/messages', text: 'ä'.repeat(100_000) })
    await until(() => ids.length === 3)
    t.same(seen, ['/messages', 16, 32, 48])
  })
}

t.test('a client that does not ask for it offers the plain subprotocol alone', async t => {
  const server = await fakeServer(t)
  const { client } = loggedClient(t, { ...who, isCompressed: false, url: server.url, register: {} })
  await client.registered
  t.equal(server.peer.socket.protocol, 'chat.v1.json')
})

t.test('a platform that cannot decompress offers it neither', async t => {
  const { DecompressionStream } = globalThis
  t.teardown(() => Object.assign(globalThis, { DecompressionStream }))
  Reflect.deleteProperty(globalThis, 'DecompressionStream')
  const server = await fakeServer(t)
  const { client } = loggedClient(t, { ...who, url: server.url, register: {} })
  await client.registered
  t.equal(server.peer.socket.protocol, 'chat.v1.json')
})

t.test('after a frame that cannot be read the client connects again and misses nothing', async t => {
  for (const broken of [
    Buffer.from([0x1f, 0x8b, 8]),
    Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.alloc(500, 7)]),
  ]) {
    const server = await fakeServer(t)
    const { client, ids } = loggedClient(t, { ...who, url: server.url, register: {} })
    await client.registered
    const lost = client.request('GET', '/never').catch(error => error.code)
    server.answer = frame => (frame.op === 'request' ? 'nothing' : undefined)
    server.peer.socket.send(broken)
    server.publish(16, 32)
    await until(() => ids.length === 2)
    t.same(ids, [16, 32])
    t.equal(server.peers.length, 2)
    void lost
  }
})

t.test('a reply that came before the close counts, though it is decompressed after it', async t => {
  const server = await fakeServer(t)
  const { client } = loggedClient(t, { ...who, url: server.url, register: {} })
  await client.registered
  server.answer = (frame, peer) => {
    if (frame.op !== 'request') return undefined
    const body = { result: 'success', msg: '', text: 'x'.repeat(1_000_000) }
    peer.sendCompressed({ op: 'reply', id: frame.id as number, status: 200, body } as ServerFrame)
    peer.socket.close(1012, 'restarting')
    return 'nothing'
  }
  t.match(await client.request('POST', '/messages'), { result: 'success' })
})
