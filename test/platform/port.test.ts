import { once } from 'node:events'
import { createServer } from 'node:net'
import t, { type Test } from 'tap'
import { freePort } from '../../server/embedded/ports.js'
import { listenersOn } from '../faults/support/workers.js'
import { testOrganization } from '../support/server.js'
import { dataDirectory } from './places.js'
import { runProgram } from './program.js'

// Which sockets listen is read from /proc, and a port is claimed in a namespace that Linux alone has.
const options = { skip: process.platform !== 'linux' && 'needs Linux' }

async function starter(t: Test) {
  const organization = await testOrganization(t)
  const port = await freePort()
  const start = (settings: Record<string, string> = {}) =>
    runProgram(t, organization.env({ DATA_DIR: dataDirectory(t), PORT: String(port), WORKERS: '1', ...settings }))
  return { port, start }
}

t.test('a start refuses a port on which another server of this program answers', options, async t => {
  const { port, start } = await starter(t)
  await start().ready
  await t.rejects(start().ready, {
    message: `ended with 1: Another server of this program answers on port ${port} of 127.0.0.1: stop it, choose another PORT, or set SHARE_PORT=1 to share the port with it.\n`,
  })
  t.equal(listenersOn(port), 1)
})

t.test('a start refuses a port on which another server of this program is still starting', options, async t => {
  const { port, start } = await starter(t)
  const silent = createServer(socket => t.teardown(() => socket.destroy())).listen(0, '127.0.0.1')
  t.teardown(() => silent.close())
  await once(silent, 'listening')
  const database = `postgres://reader@127.0.0.1:${(silent.address() as { port: number }).port}/none`
  start({ DATABASE_URL: database })
  await once(silent, 'connection')
  await t.rejects(start().ready, {
    message: `ended with 1: Another server of this program is starting on port ${port} of 127.0.0.1: stop it, choose another PORT, or set SHARE_PORT=1.\n`,
  })
})

t.test('with SHARE_PORT a server starts beside another one, and goes on when that one stops', options, async t => {
  const { port, start } = await starter(t)
  const first = start()
  const url = (await first.ready).trim().replace(/^ready /, '')
  const second = start({ SHARE_PORT: '1' })
  t.equal(await second.ready, `ready ${url}\n`)
  t.equal(listenersOn(port), 2)
  first.process.kill('SIGTERM')
  t.equal((await first.ended).how, 0)
  t.equal(listenersOn(port), 1)
  t.equal((await fetch(`${url}/health/live`)).status, 200)
})

t.test('a port on which another program listens is refused also with SHARE_PORT', options, async t => {
  const { port, start } = await starter(t)
  const other = createServer(socket => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'))
  other.listen(port, '127.0.0.1')
  t.teardown(() => other.close())
  await once(other, 'listening')
  await t.rejects(start({ SHARE_PORT: '1' }).ready, {
    message: `ended with 1: Port ${port} of 127.0.0.1 is in use: stop what listens there, or choose another PORT.\n`,
  })
})
