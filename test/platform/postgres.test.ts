import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import postgres from 'postgres'
import t from 'tap'
import { startPostgres } from '../../server/embedded/postgres.js'
import { isAlive, processesIn } from '../../server/embedded/processes.js'
import { dataDirectory, quiet, stoppedAfter } from './places.js'

// Processes die here, machines do not: what the system has is safe, and need not be waited for.
const settings = { fsync: 'off' }

const running = (dataDir: string) => processesIn(join(dataDir, 'postgres'), ['postgres'], 'postmaster.pid')

async function ask<T>(url: string, question: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    return await question(sql)
  } finally {
    await sql.end()
  }
}

t.test('what was written is there after a stop and a start, under the same address', async t => {
  const dataDir = dataDirectory(t)
  const first = await startPostgres({ dataDir, log: quiet, settings })
  await ask(first.url, sql => sql`create table kept as select 'Grüße' as word`)
  await first.stop()
  t.same(running(dataDir), [], 'nothing is left running')
  const second = await stoppedAfter(t, startPostgres({ dataDir, log: quiet, settings }))
  t.equal(second.url, first.url)
  t.same(await ask(second.url, sql => sql`select word from kept`), [{ word: 'Grüße' }])
})

t.test('what was committed is there after PostgreSQL was killed', async t => {
  const dataDir = dataDirectory(t)
  const first = await startPostgres({ dataDir, log: quiet, settings })
  await ask(first.url, sql => sql`create table kept as select 1 as n`)
  await first.kill()
  t.match(await first.exited, 'SIGKILL')
  const second = await stoppedAfter(t, startPostgres({ dataDir, log: quiet, settings }))
  t.same(await ask(second.url, sql => sql`select n from kept`), [{ n: 1 }])
})

t.test('an orphan on the same data is stopped before a new one starts', async t => {
  const dataDir = dataDirectory(t)
  const orphan = await startPostgres({ dataDir, log: quiet, settings })
  await ask(orphan.url, sql => sql`create table kept as select 1 as n`)
  const second = await stoppedAfter(t, startPostgres({ dataDir, log: quiet, settings }))
  t.match(await orphan.exited, 'code 0', 'it was stopped in good order')
  t.not(second.pid, orphan.pid)
  t.same(await ask(second.url, sql => sql`select n from kept`), [{ n: 1 }])
})

t.test("a stale pid file with the number of another user's process harms neither", async t => {
  const dataDir = dataDirectory(t)
  const first = await startPostgres({ dataDir, log: quiet, settings })
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid')
  const lines = readFileSync(pidFile, 'utf8').split('\n')
  await first.stop()
  // What a machine that lost power leaves, when the number has since been given to another program: ours, here.
  writeFileSync(pidFile, [String(process.pid), ...lines.slice(1)].join('\n'))
  const second = await stoppedAfter(t, startPostgres({ dataDir, log: quiet, settings }))
  t.ok(isAlive(process.pid) && isAlive(second.pid))
})

t.test('a port that another program has taken is replaced by another', async t => {
  const dataDir = dataDirectory(t)
  const first = await startPostgres({ dataDir, log: quiet, settings })
  await first.stop()
  const thief = createServer().listen(Number(new URL(first.url).port), '127.0.0.1')
  await once(thief, 'listening')
  t.teardown(() => thief.close())
  const second = await stoppedAfter(t, startPostgres({ dataDir, log: quiet, settings }))
  t.not(new URL(second.url).port, new URL(first.url).port)
  t.same(await ask(second.url, sql => sql`select 1 as n`), [{ n: 1 }])
})

t.test('a fixed port that is taken is refused with a sentence', async t => {
  const thief = createServer().listen(0, '127.0.0.1')
  await once(thief, 'listening')
  t.teardown(() => thief.close())
  const { port } = thief.address() as { port: number }
  await t.rejects(startPostgres({ dataDir: dataDirectory(t), log: quiet, settings, port }), {
    message: /did not start: .* \(more in .*\)\.$/,
  })
})

t.test('a connection needs the password, which only its owner can read', async t => {
  const dataDir = dataDirectory(t)
  const server = await stoppedAfter(t, startPostgres({ dataDir, log: quiet, settings }))
  const url = new URL(server.url)
  url.password = 'guessed'
  await t.rejects(
    ask(url.href, sql => sql`select 1`),
    { code: '28P01' },
  )
  t.equal(statSync(join(dataDir, 'postgres.json')).mode & 0o777, 0o600)
})

t.test('a committed write is on the disk, and root does not run the database', async t => {
  const server = await stoppedAfter(t, startPostgres({ dataDir: dataDirectory(t), log: quiet }))
  const found = await ask(
    server.url,
    sql => sql`select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit`,
  )
  t.same(found, [{ fsync: 'on', commit: 'on' }])
  if (process.platform === 'linux') t.not(statSync(`/proc/${server.pid}`).uid, 0)
})
