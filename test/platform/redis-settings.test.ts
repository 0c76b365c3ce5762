// Settings of a Redis of the operator's own that endanger event queues are named at the start, a line each.
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { startRedis } from '../../server/embedded/redis.js'
import { connectRedis } from '../../server/redis/client.js'
import { settingComplaints } from '../../server/redis/setting-complaints.js'
import { testOrganization } from '../support/server.js'
import { dataDirectory, quiet, stoppedAfter } from './places.js'
import { runProgram } from './program.js'

const eviction =
  'Redis deletes event queues when its memory is full (maxmemory-policy allkeys-lru): set maxmemory-policy noeviction.'
const noFile = 'Redis keeps no append-only file, so its restart loses event queues: set appendonly yes.'
const noFlush =
  'Redis does not flush its append-only file (appendfsync no), so a power failure loses event queues: set appendfsync everysec.'

async function redisWith(t: Test, ...extraArgs: string[]): Promise<string> {
  return (await stoppedAfter(t, startRedis({ dataDir: dataDirectory(t), log: quiet, extraArgs }))).url
}

async function complaintsOf(t: Test, url: string): Promise<string[]> {
  const redis = await connectRedis(url, quiet)
  t.teardown(() => redis.close())
  return await settingComplaints(redis)
}

t.test('a start names each wrong setting in a line and goes on', async t => {
  const organization = await testOrganization(t)
  const url = await redisWith(t, '--maxmemory-policy', 'allkeys-lru', '--appendonly', 'no')
  const settings = organization.env({ REDIS_URL: url, DATA_DIR: dataDirectory(t), WORKERS: '1', LOG_LEVEL: 'warn' })
  const program = runProgram(t, settings)
  await program.ready
  program.process.kill('SIGTERM')
  const { errors } = await program.ended
  const logged = errors.split('\n').filter(line => line.startsWith('{'))
  t.same(
    logged.map(line => JSON.parse(line).msg),
    [eviction, noFile],
  )
})

t.test('the settings of redis.conf are right', async t => {
  t.same(await complaintsOf(t, await redisWith(t)), [])
})

t.test('every policy that evicts is wrong', async t => {
  const url = await redisWith(t, '--maxmemory-policy', 'volatile-ttl', '--appendfsync', 'no')
  t.same(await complaintsOf(t, url), [eviction.replace('allkeys-lru', 'volatile-ttl'), noFlush])
})

t.test('a Redis that refuses CONFIG is asked by INFO; of what it does not tell nothing is said', async t => {
  const url = await redisWith(t, '--rename-command', 'CONFIG', '', '--appendfsync', 'no')
  t.same(await complaintsOf(t, url), [])
  t.same(await complaintsOf(t, await redisWith(t, '--rename-command', 'CONFIG', '', '--appendonly', 'no')), [noFile])
})

t.test('nothing is said of a Redis whose account may ask neither', async t => {
  const url = await redisWith(t, '--maxmemory-policy', 'allkeys-lru', '--appendonly', 'no')
  const admin = new Redis(url)
  await admin.acl('SETUSER', 'limited', 'on', '>secret', '~*', '&*', '+@all', '-config', '-info', '+ping')
  admin.disconnect()
  const limited = new URL(url)
  limited.username = 'limited'
  limited.password = 'secret'
  const redis = await connectRedis(limited.href, quiet)
  t.teardown(() => redis.close())
  t.same(await settingComplaints(redis), [])
})
