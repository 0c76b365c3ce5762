import { App, us_listen_socket_close, us_socket_local_port } from 'uWebSockets.js'
import { Agent, type IncomingMessage, request } from 'node:http'
import t from 'tap'
import { JsonBuffers } from '../../server/concurrency/json-buffers.js'
import { JsonBytes } from '../../server/http/answer.js'
import { writeChunks } from '../../server/http/write-chunks.js'

// More than the kernel's buffer, in chunks of many sizes with different bytes.
const chunks = [1, 70_000, 16_384, 9_000_000, 0, 3, 5_000_000].map((size, n) => Buffer.alloc(size, 97 + n))
const whole = Buffer.concat(chunks)

const buffers = new JsonBuffers()
const lentBytes = 3_000_000

const app = App()
app.get('/lent', (res, req) => {
  const lent = buffers.lend(buffers.take(lentBytes), lentBytes).fill(99)
  const closes = req.getQuery('closes') === '1'
  res.onAborted(() => {})
  res.cork(() => {
    writeChunks(res, new JsonBytes([lent, ...chunks]), closes)
  })
})
app.get('/*', (res, req) => {
  const closes = req.getQuery('closes') === '1'
  res.onAborted(() => {})
  res.cork(() => {
    writeChunks(res, new JsonBytes(chunks), closes)
  })
})
let port = 0
app.listen('127.0.0.1', 0, token => {
  port = us_socket_local_port(token as never)
  t.teardown(() => {
    us_listen_socket_close(token as never)
    app.close()
  })
})

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
t.teardown(() => agent.destroy())

function get(path: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => request({ agent, port, path }, resolve).on('error', reject).end())
}

async function read(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  // One chunk per turn, so that the connection is full most of the time.
  for await (const chunk of response) {
    chunks.push(chunk)
    await new Promise(resolve => setImmediate(resolve))
  }
  return Buffer.concat(chunks)
}

t.test('a reader gets every byte once and in order, and the connection serves the next request', async t => {
  for (const path of ['/', '/', '/?closes=1']) {
    const response = await get(path)
    t.equal(Number(response.headers['content-length']), whole.length)
    t.ok((await read(response)).equals(whole), path)
  }
})

t.test('a reader that goes away in the middle does no harm', async t => {
  const response = await get('/')
  response.destroy()
  t.ok((await read(await get('/'))).equals(whole))
})

t.test('lent bytes are given back when the last byte of the answer is written, not earlier', async t => {
  const spare = buffers.take(lentBytes)
  buffers.give(spare)
  const response = await get('/lent')
  t.not(buffers.take(lentBytes), spare, 'the reader has not got all of it')
  const body = await read(response)
  t.ok(body.subarray(0, lentBytes).equals(Buffer.alloc(lentBytes, 99)) && body.subarray(lentBytes).equals(whole))
  t.equal(buffers.take(lentBytes), spare)
  buffers.give(spare)
  await read(await get('/lent?closes=1'))
  t.equal(buffers.take(lentBytes), spare)
})

t.test('bytes lent to a reader that goes away are not used again', async t => {
  const spare = buffers.take(lentBytes)
  buffers.give(spare)
  const response = await get('/lent')
  response.destroy()
  t.ok((await read(await get('/'))).equals(whole))
  t.not(buffers.take(lentBytes), spare)
})
