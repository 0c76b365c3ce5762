import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { projectRoot } from '../../../server/config/paths.js'
import { freePort } from '../../../server/embedded/ports.js'
import { startServer } from '../../support/server.js'

/** The output and exit code of the image's health check with these settings. */
async function check(settings: Record<string, string>): Promise<{ code: number; said: string }> {
  const program = join(projectRoot, 'server/bin/healthy.mjs')
  const child = spawn(process.execPath, [program], { env: settings, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', text => {
    said += text
  })
  const [code] = await once(child, 'close')
  return { code, said }
}

t.test('a server that serves is healthy', async t => {
  const { url } = await startServer(t)
  const { port } = new URL(url)
  // A starting server first reads the feed.
  for (let tries = 0; (await fetch(`${url}/health/ready`)).status !== 200 && tries < 600; tries += 1) await sleep(50)
  for (const HOST of ['127.0.0.1', '0.0.0.0']) t.same(await check({ HOST, PORT: port }), { code: 0, said: '' }, HOST)
})

t.test('one that is not ready is not', async t => {
  const server = createServer((_, response) => response.writeHead(503).end('{}'))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const { code, said } = await check({ PORT: String(port) })
  t.equal(code, 1)
  t.equal(said, `http://127.0.0.1:${port}/health/ready says 503\n`)
})

t.test('nor is one that does not answer, or is not there', async t => {
  const silent = createServer(() => undefined)
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    silent.closeAllConnections()
    silent.close()
  })
  t.match(await check({ PORT: String((silent.address() as AddressInfo).port) }), { code: 1, said: /timeout/ })
  const PORT = String(await freePort(undefined, '127.0.0.1'))
  t.match(await check({ PORT }), { code: 1, said: /ECONNREFUSED/ })
})
