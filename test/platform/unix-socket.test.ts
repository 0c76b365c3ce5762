import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import type { EmbeddedServer } from '../../server/embedded/embedded-server.js'
import { startPostgres } from '../../server/embedded/postgres.js'
import { startRedis } from '../../server/embedded/redis.js'
import { fitsSocket } from '../../server/embedded/unix-socket.js'
import { databaseFailure } from '../../server/failures/database-failure.js'
import { isRedisAway } from '../../server/redis/redis-away.js'
import { dataDirectory, quiet, stoppedAfter } from './places.js'
import { runProgram } from './program.js'

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

t.test('a connection through a Unix socket needs the password', async t => {
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

t.test('a worker goes through the sockets, and finds databases again that were killed', async t => {
  const dataDir = dataDirectory(t)
  const program = runProgram(t, { DATA_DIR: dataDir, WORKERS: '1' })
  await program.ready
  t.strictSame(await untilTheyCome(dataDir), { isDatabaseUsed: true, isRedisUsed: true })
  for (const pid of program.children(/postgres|redis/)) process.kill(pid, 'SIGKILL')
  t.strictSame(await untilTheyCome(dataDir), { isDatabaseUsed: true, isRedisUsed: true })
})

interface Use {
  readonly isDatabaseUsed: boolean
  readonly isRedisUsed: boolean
}

/** Queries over the TCP ports, so that every connection on a Unix socket is the worker's. */
async function useOf(dataDir: string): Promise<Use> {
  const at = (name: string) => JSON.parse(readFileSync(join(dataDir, `${name}.json`), 'utf8'))
  const [database, redis] = [at('postgres'), at('redis')]
  const sql = postgres(`postgres://parley:${database.password}@127.0.0.1:${database.port}/postgres`, { max: 1 })
  const store = new Redis(`redis://:${redis.password}@127.0.0.1:${redis.port}`, { retryStrategy: null })
  store.on('error', () => undefined)
  try {
    const used = await sql`
      select from pg_stat_activity where application_name = 'parley' and client_port = -1 and client_addr is null`
    return {
      isDatabaseUsed: used.length > 0,
      isRedisUsed: String(await store.client('LIST')).includes('addr=./redis.sock'),
    }
  } finally {
    store.disconnect()
    await sql.end({ timeout: 1 })
  }
}

/** What is so when both are used at last, or when the file's time is nearly over. */
async function untilTheyCome(dataDir: string): Promise<Use | Error> {
  const end = performance.now() + 120_000
  for (;;) {
    const found = await useOf(dataDir).catch((error: Error) => error)
    const isSo = !(found instanceof Error) && found.isDatabaseUsed && found.isRedisUsed
    if (isSo || performance.now() > end) return found
    await sleep(50)
  }
}

function both(t: Test, dataDir: string): Promise<[EmbeddedServer, EmbeddedServer]> {
  return Promise.all([stoppedAfter(t, postgresIn(dataDir)), stoppedAfter(t, redisIn(dataDir))])
}
