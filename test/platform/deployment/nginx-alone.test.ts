// nginx in front of one server: with the documented configuration as it is, and with a location that lacks HTTP/1.1.
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import t, { type Test } from 'tap'
import { freePort } from '../../../server/embedded/ports.js'
import { spawnServer } from '../../support/server.js'
import { dataDirectory } from '../places.js'
import { missing, runNginx, startProxy } from './nginx.js'

const options = { skip: missing }

t.test('the second server of nginx.conf is a comment, so that no request waits for it', options, async t => {
  const server = await spawnServer(t)
  const proxy = await startProxy(t, [server.url])
  for (let i = 0; i < 20; i++) {
    const asked = request(`${proxy.https}/api/v1/server_settings`, { ca: proxy.ca }).end()
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    answer.resume()
    t.equal(answer.statusCode, 200)
  }
})

t.test(
  'a location that speaks HTTP/1.0 gets 505, as the document says, and with HTTP/1.1 it works',
  options,
  async t => {
    const server = await spawnServer(t)
    const url = await bareProxy(t, server.url, 'proxy_http_version 1.0;')
    t.equal((await fetch(`${url}/api/v1/server_settings`)).status, 505)
    const right = await bareProxy(t, server.url, 'proxy_http_version 1.1;')
    t.equal((await fetch(`${right}/api/v1/server_settings`)).status, 200)
  },
)

async function bareProxy(t: Test, server: string, more: string): Promise<string> {
  const port = await freePort()
  const location = `location / { proxy_pass ${server}; ${more} }`
  const url = `http://127.0.0.1:${port}`
  await runNginx(t, dataDirectory(t), `server { listen 127.0.0.1:${port}; ${location} }`, url)
  return url
}
