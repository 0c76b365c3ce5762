import t from 'tap'
import { logFailure } from '../../server/failures/log-failure.js'
import type { Log } from '../../server/log.js'
import { connectRedis } from '../../server/redis/client.js'
import { openDatabase } from '../../server/store/driver/open-database.js'
import { services } from '../support/services.js'

/** A log that keeps the level and the message of each line. */
function keptLog(): { log: Log; lines: string[] } {
  const lines: string[] = []
  const at = (level: string) => (_: unknown, message: string) => lines.push(`${level} ${message}`)
  return { log: { debug: at('debug'), info: at('info'), warn: at('warn') } as unknown as Log, lines }
}

async function failureOf(work: PromiseLike<unknown>): Promise<unknown> {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error('it did not fail')
}

const { redisUrl } = await services(t)

t.test('PostgreSQL that is away is not logged as an outage of Redis', async t => {
  const { log, lines } = keptLog()
  const redis = await connectRedis(redisUrl, log)
  t.teardown(() => redis.close())
  // Nothing listens on this port.
  const sql = openDatabase('postgres://reader@127.0.0.1:1/none', 'public', 1)
  t.teardown(() => sql.end({ timeout: 0 }))
  for (const ask of [() => sql`select 1`, () => sql.begin(tx => tx`select 1`)])
    logFailure({ log, redis }, await failureOf(ask()), 'a task failed')
  t.same(lines, ['debug a task failed', 'debug a task failed'])
})

t.test('Redis that is away is logged once, and each task at level debug', async t => {
  const { log, lines } = keptLog()
  const redis = await connectRedis(redisUrl, log)
  await redis.close()
  for (let i = 0; i < 2; i++) logFailure({ log, redis }, await failureOf(redis.command('PING')), 'a task failed')
  t.same(lines, ['warn Redis is away', 'debug a task failed', 'debug a task failed'])
})

t.test('any other error is a warning', async t => {
  const { log, lines } = keptLog()
  const redis = await connectRedis(redisUrl, log)
  t.teardown(() => redis.close())
  logFailure({ log, redis }, new TypeError('a fault'), 'a task failed')
  t.same(lines, ['warn a task failed'])
})
