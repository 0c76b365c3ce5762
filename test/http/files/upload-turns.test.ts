// Uploads that wait for their space take no connection from requests that read.
import t from 'tap'
import { startServer } from '../../support/server.js'
import { TusClient } from '../../support/tus.js'

const connections = 3
const server = await startServer(t, { DATABASE_CONNECTIONS: String(connections) })
const tus = new TusClient(server.url)

t.test('while the space of files is locked, uploads wait and others read', async t => {
  const [busy, reader] = [await server.person(), await server.person()]
  let release = () => {}
  const isHeld = new Promise<void>(held => {
    const holding = server.sql.begin(async tx => {
      await tx`select from upload_space for no key update`
      held()
      await new Promise<void>(resolve => (release = resolve))
    })
    t.teardown(() => holding)
  })
  await isHeld
  const begun = Array.from({ length: 20 }, () => tus.begin(busy, 10))
  const waiting = () => server.sql<{ count: number }[]>`
    select count(*)::int from pg_stat_activity
    where wait_event_type = 'Lock' and query like '%upload_space%' and datname = current_database()`
  for (let tries = 0; (await waiting())[0]?.count === 0; tries++) {
    if (tries > 500) throw new Error('no upload waits for the space')
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  for (let i = 0; i < 2 * connections; i++) {
    await reader.ok('GET', '/messages', { anchor: 'newest', num_before: 10, num_after: 0 })
  }
  release()
  t.equal(new Set(await Promise.all(begun)).size, 20)
})
