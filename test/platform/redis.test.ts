import { once } from 'node:events'
import { statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import t from 'tap'
import { processesIn } from '../../server/embedded/processes.js'
import { startRedis } from '../../server/embedded/redis.js'
import { dataDirectory, quiet, stoppedAfter } from './places.js'

const running = (dataDir: string) => processesIn(join(dataDir, 'redis'), ['redis-server', 'valkey-server'], 'redis.pid')

async function ask<T>(url: string, question: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url, { retryStrategy: null })
  redis.on('error', () => undefined)
  try {
    return await question(redis)
  } finally {
    redis.disconnect()
  }
}

t.test('what was written is there after a stop and a start, under the same address', async t => {
  const dataDir = dataDirectory(t)
  const first = await startRedis({ dataDir, log: quiet })
  await ask(first.url, redis => redis.xadd('queue', '16-0', 'event', 'x'))
  await first.stop()
  t.same(running(dataDir), [], 'nothing is left running')
  const second = await stoppedAfter(t, startRedis({ dataDir, log: quiet }))
  t.equal(second.url, first.url)
  t.same(await ask(second.url, redis => redis.xrange('queue', '-', '+')), [['16-0', ['event', 'x']]])
})

t.test('what reached the disk is there after Redis was killed', async t => {
  const dataDir = dataDirectory(t)
  const first = await startRedis({ dataDir, log: quiet, extraArgs: ['--appendfsync', 'always'] })
  await ask(first.url, redis => redis.set('kept', 'yes'))
  await first.kill()
  t.match(await first.exited, 'SIGKILL')
  const second = await stoppedAfter(t, startRedis({ dataDir, log: quiet }))
  t.equal(await ask(second.url, redis => redis.get('kept')), 'yes')
})

t.test('an orphan on the same data is stopped before a new one starts', async t => {
  const dataDir = dataDirectory(t)
  const orphan = await startRedis({ dataDir, log: quiet })
  await ask(orphan.url, redis => redis.set('kept', 'yes'))
  const second = await stoppedAfter(t, startRedis({ dataDir, log: quiet }))
  t.match(await orphan.exited, 'code 0', 'it was stopped in good order')
  t.same(running(dataDir), [second.pid])
  t.equal(await ask(second.url, redis => redis.get('kept')), 'yes')
})

t.test('a fixed port that is taken is refused with a sentence', async t => {
  const thief = createServer().listen(0, '127.0.0.1')
  await once(thief, 'listening')
  t.teardown(() => thief.close())
  const { port } = thief.address() as { port: number }
  await t.rejects(startRedis({ dataDir: dataDirectory(t), log: quiet, port }), {
    message: /did not start: .* \(more in .*\)\.$/,
  })
})

t.test('a connection needs the password, which only its owner can read', async t => {
  const dataDir = dataDirectory(t)
  const server = await stoppedAfter(t, startRedis({ dataDir, log: quiet }))
  const { host } = new URL(server.url)
  await t.rejects(
    ask(`redis://${host}`, redis => redis.get('kept')),
    /NOAUTH/,
  )
  t.equal(statSync(join(dataDir, 'redis.json')).mode & 0o777, 0o600)
})

t.test('it never evicts, logs every write, and root does not run it', async t => {
  const server = await stoppedAfter(t, startRedis({ dataDir: dataDirectory(t), log: quiet }))
  const settings = await ask(server.url, redis =>
    Promise.all(
      ['maxmemory-policy', 'appendonly', 'appendfsync', 'stream-node-max-bytes', 'save', 'bind'].map(name =>
        redis.config('GET', name),
      ),
    ),
  )
  t.same(settings, [
    ['maxmemory-policy', 'noeviction'],
    ['appendonly', 'yes'],
    ['appendfsync', 'everysec'],
    ['stream-node-max-bytes', '512'],
    ['save', ''],
    ['bind', '127.0.0.1'],
  ])
  if (process.platform === 'linux') t.not(statSync(`/proc/${server.pid}`).uid, 0)
})
