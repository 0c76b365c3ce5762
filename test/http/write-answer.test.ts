import { App, us_listen_socket_close, us_socket_local_port } from 'uWebSockets.js'
import t from 'tap'
import { JsonBytes } from '../../server/http/answer.js'
import { writeAnswer, writeWhole } from '../../server/http/write-answer.js'
import { head, RawConnection } from './raw.js'

const text = '{"a":1}'
const bodies = { text, bytes: Buffer.from(text), chunks: new JsonBytes([text]), length: text.length, none: undefined }
type Kind = keyof typeof bodies

const app = App()
app.any('/whole/:status/:body/:closes', (res, req) => {
  const [isHead, status] = [req.getCaseSensitiveMethod() === 'HEAD', Number(req.getParameter('status'))]
  const body = bodies[req.getParameter('body') as Kind]
  res.onAborted(() => {})
  writeWhole(res, status, {
    headers: [['X-Test', '1']],
    body,
    ending: { isHead, closes: req.getParameter('closes') === 'true' },
  })
})
app.any('/operation/:status/:closes', (res, req) => {
  const [isHead, status] = [req.getCaseSensitiveMethod() === 'HEAD', Number(req.getParameter('status'))]
  const ending = { isHead, closes: req.getParameter('closes') === 'true' }
  res.onAborted(() => {})
  res.cork(() =>
    writeAnswer(
      res,
      { status, body: text, headers: [] },
      { ...ending, further: [['X-Test', '1']], head: 'text/plain' },
    ),
  )
})
let port = 0
app.listen('127.0.0.1', 0, token => {
  port = us_socket_local_port(token as never)
  t.teardown(() => {
    us_listen_socket_close(token as never)
    app.close()
  })
})

const statuses = [200, 201, 204, 206, 302, 304, 404, 503]
const addresses = statuses.flatMap(status => [
  ...Object.keys(bodies).map(kind => [status, kind as Kind, `/whole/${status}/${kind}`] as const),
  [status, 'text', `/operation/${status}`] as const,
])

/** What Content-Length says after RFC 9110, 8.6; undefined: the header is not there. */
function lengthAfter(method: string, status: number, kind: Kind): number | undefined {
  if (status === 204 || status === 304 || (method === 'HEAD' && kind === 'none')) return undefined
  return kind === 'none' || (kind === 'length' && method === 'GET') ? 0 : text.length
}

t.test('after an answer of each kind the connection serves the next request', async t => {
  const raw = new RawConnection({ port })
  for (const method of ['GET', 'HEAD', 'OPTIONS']) {
    for (const [status, kind, address] of addresses) {
      const answer = await raw.write(head(method, `${address}/false`)).answer(method)
      const length = lengthAfter(method === 'HEAD' ? 'HEAD' : 'GET', status, kind)
      const named = /^content-length: (\d+)$/im.exec(answer?.head ?? '')?.[1]
      t.same([answer?.status, named], [status, length?.toString()], `${method} ${address}`)
      t.equal(answer?.body, method === 'HEAD' || !length ? '' : text)
    }
  }
  raw.destroy()
})

t.test('a connection that closes says so, and serves nothing more', async t => {
  for (const method of ['GET', 'HEAD']) {
    for (const [status, kind, address] of addresses) {
      // Their only end is the client's: uWebSockets can close neither without a length.
      if (status === 304 || (method === 'HEAD' && kind === 'none' && status !== 204)) continue
      const raw = new RawConnection({ port })
      const answer = await raw.write(head(method, `${address}/true`)).answer(method)
      t.match([answer?.status, answer?.head], [status, /^connection: close$/im], `${method} ${address}`)
      await raw.write(head('GET', '/whole/200/text/false')).closed()
      t.equal(await raw.answer('GET'), undefined)
    }
  }
})
