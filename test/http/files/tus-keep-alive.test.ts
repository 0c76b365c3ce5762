import t from 'tap'
import { basic } from '../../support/http.js'
import { startServer } from '../../support/server.js'
import { uploads } from '../../support/tus.js'
import { head, RawConnection } from '../raw.js'

const server = await startServer(t)
const port = Number(new URL(server.url).port)
const owner = await server.person()
const own = { Authorization: basic(owner), 'Tus-Resumable': '1.0.0' }
const bytes = (length: number) => ({ 'Content-Type': 'application/offset+octet-stream', 'Content-Length': length })

t.test('after each answer of tus the connection serves the next request', async t => {
  const raw = new RawConnection({ port })
  const ask = async (method: string, path: string, headers: Record<string, string | number>, body = '') => {
    const answer = await raw.write(head(method, path, headers) + body).answer(method)
    t.notMatch(answer?.head, /^connection: close$/im, `${method} ${path}`)
    return answer
  }
  const begin = async () => {
    const begun = await ask('POST', uploads, { ...own, 'Upload-Length': 6, 'Content-Length': 0 })
    t.equal(begun?.status, 201)
    return new URL(/^location: (.*)$/im.exec(begun?.head ?? '')?.[1] ?? '').pathname
  }
  const path = await begin()
  const longer = { ...own, 'Upload-Length': 9e15, 'Content-Length': 0 }
  for (const [status, method, address, headers, body] of [
    [204, 'OPTIONS', uploads, {}],
    [204, 'OPTIONS', path, { Origin: 'https://page.example' }],
    [200, 'HEAD', path, own],
    [204, 'PATCH', path, { ...own, ...bytes(3), 'Upload-Offset': 0 }, 'abc'],
    [409, 'PATCH', path, { ...own, ...bytes(3), 'Upload-Offset': 0 }, 'abc'],
    // A body that has not been read when its request is refused would end the connection.
    [415, 'PATCH', path, { ...own, 'Content-Length': 0, 'Upload-Offset': 3 }],
    [401, 'HEAD', path, { 'Tus-Resumable': '1.0.0' }],
    [412, 'HEAD', path, {}],
    [404, 'HEAD', `${path}x`, own],
    [405, 'GET', path, own],
    [411, 'POST', uploads, { ...own, 'Content-Length': 0 }],
    [413, 'POST', uploads, longer],
    [422, 'POST', uploads, { ...longer, 'Upload-Length': 1, 'Upload-Metadata': 'a !' }],
    [200, 'PATCH', path, { ...own, ...bytes(3), 'Upload-Offset': 3 }, 'def'],
    [204, 'DELETE', await begin(), own],
    [201, 'POST', uploads, { ...own, ...bytes(1), 'Upload-Length': 2 }, 'a'],
    [200, 'POST', uploads, { ...own, 'Upload-Length': 0, 'Content-Length': 0 }],
  ] as const) {
    t.equal((await ask(method, address, headers, body))?.status, status, `${method} ${address}: ${status}`)
  }
  raw.destroy()
})

t.test('an answer without a body names no length, and 0 when it ends a connection', async t => {
  const chunks = `${head('OPTIONS', uploads, { 'Transfer-Encoding': 'chunked' })}0\r\n\r\n`
  for (const [request, length] of [
    [head('OPTIONS', uploads), undefined],
    [chunks, '0'],
  ] as const) {
    const raw = new RawConnection({ port }).write(request)
    const answer = await raw.answer('OPTIONS')
    t.match(answer, { status: 204, body: '' })
    t.equal(/^content-length: (\d+)$/im.exec(answer?.head ?? '')?.[1], length)
    raw.destroy()
  }
})
