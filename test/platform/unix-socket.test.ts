import { mkdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import postgres from 'postgres'
import t from 'tap'
import type { EmbeddedServer } from '../../server/embedded/embedded-server.js'
import { startPostgres } from '../../server/embedded/postgres.js'
import { startRedis } from '../../server/embedded/redis.js'
import { fitsSocket } from '../../server/embedded/unix-socket.js'
import { isRedisAway } from '../../server/redis/redis-away.js'
import { databaseFailure } from '../../server/store/database-away.js'
import { dataDirectory, quiet, stoppedAfter } from './places.js'

const settings = { fsync: 'off' }
const postgresIn = (dataDir: string) => startPostgres({ dataDir, log: quiet, settings })
const redisIn = (dataDir: string) => startRedis({ dataDir, log: quiet })

async function askPostgres(url: string, path: string | undefined): Promise<unknown> {
  const sql = postgres(url, { path, max: 1, connect_timeout: 10, onnotice: () => {} })
  try {
    return await sql`select inet_server_addr() as address`
  } finally {
    await sql.end()
  }
}

async function askRedis(url: string, path: string | undefined): Promise<string> {
  const redis = new Redis(url, { path, retryStrategy: null })
  redis.on('error', () => undefined)
  try {
    return String(await redis.client('INFO'))
  } finally {
    redis.disconnect()
  }
}

/** What a connection through the socket fails with. */
async function failure(asking: Promise<unknown>): Promise<unknown> {
  try {
    await asking
  } catch (error) {
    return error
  }
  throw new Error('it did not fail')
}

function withPassword(address: string, password: string): string {
  const url = new URL(address)
  url.password = password
  return url.href
}

t.test('PostgreSQL is reached through its socket, beside its port, and also after it was killed', async t => {
  const dataDir = dataDirectory(t)
  const first = await postgresIn(dataDir)
  t.equal(statSync(join(dataDir, 'postgres')).mode & 0o077, 0, 'nobody else can walk to it')
  t.same(await askPostgres(first.url, first.socket), [{ address: null }])
  t.same(await askPostgres(first.url, undefined), [{ address: '127.0.0.1' }])
  await first.kill()
  t.equal(databaseFailure(await failure(askPostgres(first.url, first.socket))), 'refused')
  const second = await stoppedAfter(t, postgresIn(dataDir))
  t.equal(second.socket, first.socket)
  t.same(await askPostgres(second.url, second.socket), [{ address: null }])
})

t.test('Redis is reached through its socket, beside its port, and also after it was killed', async t => {
  const dataDir = dataDirectory(t)
  const first = await redisIn(dataDir)
  t.equal(statSync(join(dataDir, 'redis')).mode & 0o077, 0, 'nobody else can walk to it')
  t.match(await askRedis(first.url, first.socket), 'addr=./redis.sock')
  t.match(await askRedis(first.url, undefined), 'addr=127.0.0.1')
  await first.kill()
  const second = await stoppedAfter(t, redisIn(dataDir))
  t.equal(second.socket, first.socket)
  t.match(await askRedis(second.url, second.socket), 'addr=./redis.sock')
})

t.test('nobody gets in through a socket without the password', async t => {
  const [database, redis] = await both(t, dataDirectory(t))
  await t.rejects(askPostgres(withPassword(database.url, 'guessed'), database.socket), { code: '28P01' })
  await t.rejects(askRedis(withPassword(redis.url, 'guessed'), redis.socket), /NOAUTH|WRONGPASS/)
})

t.test('below a path that is too long for a socket there is none, and all works over ports', async t => {
  const dataDir = join(dataDirectory(t), 'x'.repeat(80), 'y'.repeat(80))
  mkdirSync(dataDir, { recursive: true })
  const [database, redis] = await both(t, dataDir)
  t.same([database.socket, redis.socket], [undefined, undefined])
  t.same(await askPostgres(database.url, database.socket), [{ address: '127.0.0.1' }])
  t.match(await askRedis(redis.url, redis.socket), 'addr=127.0.0.1')
})

t.test('the longest path for a socket is counted in bytes', async t => {
  const longest = process.platform === 'linux' ? 107 : 103
  t.equal(fitsSocket('x'.repeat(longest)), true)
  t.equal(fitsSocket('x'.repeat(longest + 1)), false)
  t.equal(fitsSocket('ä'.repeat(longest - 1)), false)
})

t.test('a socket that is not there means that a database is away; any other file that is missing does not', async t => {
  const missing = join(tmpdir(), `parley-no-socket-${process.pid}`)
  rmSync(missing, { force: true })
  const database = await failure(askPostgres('postgres://nobody:x@127.0.0.1:1/none', missing))
  t.equal(databaseFailure(database), 'refused')
  t.equal(databaseFailure(Object.assign(new Error('no file'), { code: 'ENOENT', syscall: 'open' })), undefined)
  t.equal(isRedisAway(Object.assign(new Error('no socket'), { code: 'ENOENT', syscall: 'connect' })), true)
  t.equal(isRedisAway(Object.assign(new Error('no file'), { code: 'ENOENT', syscall: 'open' })), false)
})

function both(test: typeof t, dataDir: string): Promise<[EmbeddedServer, EmbeddedServer]> {
  return Promise.all([stoppedAfter(test, postgresIn(dataDir)), stoppedAfter(test, redisIn(dataDir))])
}
