import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { isAlive, processesIn, processStat, waitUntil } from '../../server/embedded/processes.js'
import { dataDirectory } from './places.js'
import { runProgram } from './program.js'

const workers = /main\.js/
const databases = /postgres|redis-server|valkey-server/
// In ms; only a failure takes this long.
const patience = 60_000

const databasesOn = (dataDir: string) => [
  ...processesIn(join(dataDir, 'postgres'), ['postgres'], 'postmaster.pid'),
  ...processesIn(join(dataDir, 'redis'), ['redis-server', 'valkey-server'], 'redis.pid'),
]
const urlOf = (ready: string) => ready.trim().replace(/^ready /, '')

// Parent processes are read from /proc.
const options = { skip: process.platform !== 'linux' && 'needs Linux' }

t.test('a start says ready and serves; a stop leaves nothing running', options, async t => {
  const dataDir = dataDirectory(t)
  const program = runProgram(t, { DATA_DIR: dataDir })
  const ready = await program.ready
  t.match(ready, /^ready http:\/\/127\.0\.0\.1:\d+\n$/)
  t.ok((await fetch(urlOf(ready))).status, 'it answers')
  const started = program.children(workers)
  t.equal(started.length, 2)
  program.process.kill('SIGTERM')
  t.equal((await program.ended).how, 0)
  t.same(started.filter(isAlive), [])
  t.same(databasesOn(dataDir), [])
})

t.test('a second server on the same data is refused, and the first one does not notice', options, async t => {
  const dataDir = dataDirectory(t)
  const first = runProgram(t, { DATA_DIR: dataDir })
  const ready = await first.ready
  const { how, errors } = await runProgram(t, { DATA_DIR: dataDir }).ended
  t.equal(how, 1)
  t.match(
    errors,
    /^A server \(process \d+\) already runs on .*: stop it first, or choose another DATA_DIR and PORT\.\n$/,
  )
  t.ok((await fetch(urlOf(ready))).status)
})

t.test('a port in use is refused with a sentence, before anything is started', options, async t => {
  const dataDir = dataDirectory(t)
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.teardown(() => other.close())
  const { port } = other.address() as { port: number }
  const { how, errors } = await runProgram(t, { DATA_DIR: dataDir, PORT: String(port) }).ended
  t.equal(how, 1)
  t.equal(errors, `Port ${port} of 127.0.0.1 is in use: stop what listens there, or choose another PORT.\n`)
})

t.test('a wrong setting is refused with a sentence', async t => {
  const { how, errors } = await runProgram(t, { PORT: 'http' }).ended
  t.equal(how, 1)
  t.equal(errors, 'The setting PORT must be a whole number.\n')
})

t.test('a secret for sign-in tokens that could be guessed is refused with a sentence', async t => {
  const { how, errors } = await runProgram(t, { JWT_SECRETS: 'x' }).ended
  t.equal(how, 1)
  const problem = 'HS256 needs a secret of at least 32 bytes, this one has 1'
  t.equal(errors, `The setting JWT_SECRETS has a key that cannot be used (see number 1): ${problem}.\n`)
})

t.test('a worker that is killed is replaced, while the others serve', options, async t => {
  const program = runProgram(t, { DATA_DIR: dataDirectory(t) })
  const url = urlOf(await program.ready)
  const before = program.children(workers)
  process.kill(before[0] ?? 0, 'SIGKILL')
  const isReplaced = () => program.children(workers).filter(pid => !before.includes(pid)).length === 1
  t.ok(await waitUntil(isReplaced, patience))
  t.ok(isAlive(before[1] ?? 0))
  t.ok((await fetch(url)).status)
})

t.test('databases that are killed come back', options, async t => {
  const dataDir = dataDirectory(t)
  const program = runProgram(t, { DATA_DIR: dataDir })
  await program.ready
  const before = program.children(databases)
  t.equal(before.length, 2)
  for (const pid of before) process.kill(pid, 'SIGKILL')
  const areBack = () => program.children(databases).filter(pid => !before.includes(pid)).length === 2
  t.ok(await waitUntil(areBack, patience))
})

t.test('a hang-up replaces all workers, one by one', options, async t => {
  const program = runProgram(t, { DATA_DIR: dataDirectory(t) })
  const url = urlOf(await program.ready)
  const before = program.children(workers)
  program.process.kill('SIGHUP')
  t.ok(await waitUntil(() => !before.some(isAlive), patience))
  t.ok((await fetch(url)).status, 'the new ones serve on the same port')
})

t.test('a killed supervisor takes everything with it, and the next start goes on with the data', options, async t => {
  const dataDir = dataDirectory(t)
  const first = runProgram(t, { DATA_DIR: dataDir })
  await first.ready
  const left = first.children(workers)
  first.process.kill('SIGKILL')
  await first.ended
  t.ok(await waitUntil(() => !left.some(pid => isRunning(pid)), patience), 'the workers end')
  const second = runProgram(t, { DATA_DIR: dataDir })
  t.match(await second.ready, /^ready /)
})

/** A zombie counts as ended: the test does not control which process reaps orphans. */
function isRunning(pid: number): boolean {
  return isAlive(pid) && processStat(pid)?.isZombie === false
}
