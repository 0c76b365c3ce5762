import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import t, { type Test } from 'tap'
import { missing, startProxy } from './nginx.js'

/** Answers after which the connection ends, by path. */
const broken: Readonly<Record<string, string>> = {
  '/silent': '',
  '/cut': 'HTTP/1.1 200 OK\r\nContent-',
  '/garbage': 'no answer at all\r\n\r\n',
  '/lengths': 'HTTP/1.1 204 No Content\r\nContent-Length: 9223372036854775808\r\n\r\n',
  '/short': 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc',
}
const lastOnConnection = '/last'
const rounds = 20

/** A server that answers as `broken` says. After `lastOnConnection` it ends the connection when the next request comes. */
async function breakingServer(t: Test): Promise<string> {
  const ending = new Set<Socket>()
  const answer: RequestListener = (req, res) => {
    const bytes = broken[req.url ?? '']
    if (ending.has(req.socket)) req.socket.destroy()
    else if (bytes !== undefined) req.socket.end(bytes)
    else req.resume().on('end', () => res.end('whole'))
    if (req.url === lastOnConnection) ending.add(req.socket)
  }
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

t.test('a server whose answers break off is still asked for everything else', { skip: missing }, async t => {
  const proxy = await startProxy(t, [await breakingServer(t), await breakingServer(t)])
  const ask = async (method: string, path: string): Promise<number | undefined> => {
    const call = request(proxy.https + path, { method, ca: proxy.ca }).end()
    try {
      const [answer] = (await once(call, 'response')) as [IncomingMessage]
      await answer.resume().toArray()
      return answer.statusCode
    } catch {
      // The answer breaks off here, too.
      return undefined
    }
  }
  const others = async (path: string, methods: readonly string[]) => {
    const statuses = new Set<number | undefined>()
    for (let round = 0; round < rounds; round++) {
      const failing = ask('GET', path)
      for (const method of methods) statuses.add(await ask(method, '/else'))
      await failing
    }
    return [...statuses]
  }
  for (const path of Object.keys(broken)) t.same(await others(path, ['GET', 'POST', 'GET']), [200], path)
  t.same(await others(lastOnConnection, ['GET', 'GET']), [200], 'a request goes on at another connection')
})
