import t from 'tap'
import { ConfigError, readConfig } from '../../server/config.js'

const refused = [
  [{ PORT: '70000' }, 'The setting PORT must be from 0 to 65535.'],
  [{ PORT: 'http' }, 'The setting PORT must be a whole number.'],
  [{ WORKERS: '0' }, 'The setting WORKERS must be from 1 to 256.'],
  [{ WORKERS: 'many' }, 'The setting WORKERS must be a whole number.'],
  [{ WORKER_MEMORY: '64' }, 'The setting WORKER_MEMORY must be from 192 to 1048576.'],
  [{ WORKER_HANG_SECONDS: '1' }, 'The setting WORKER_HANG_SECONDS must be from 5 to 3600.'],
  [{ FEED_RETENTION: '5' }, 'The setting FEED_RETENTION must be from 60 to 31536000.'],
  [{ WIRE_BRAND: 'No Brand' }, 'The setting WIRE_BRAND must be a lower-case word.'],
  [{ PUBLIC_URL: 'chat.example.com' }, 'The setting PUBLIC_URL must be an http(s) address.'],
  [{ PUBLIC_URL: 'ftp://chat.example.com' }, 'The setting PUBLIC_URL must be an http(s) address.'],
  [{ FILES_ACCEL_PREFIX: 'files/' }, 'The setting FILES_ACCEL_PREFIX must be a path that begins with /.'],
  [{ KEY_PREFIX: 'a{b}' }, 'The setting KEY_PREFIX may hold letters, digits, - and _ only.'],
  [{ DATABASE_SCHEMA: 'a; drop' }, 'The setting DATABASE_SCHEMA must be a plain lower-case identifier.'],
] as const

for (const [env, sentence] of refused)
  t.test(`${JSON.stringify(env)} is refused with a sentence`, async t => {
    t.throws(() => readConfig(env), new ConfigError(sentence))
  })

t.test('a log level that does not exist is refused by name', async t => {
  t.throws(() => readConfig({ LOG_LEVEL: 'loud' }), { message: /^The setting LOG_LEVEL / })
})

t.test('an empty setting is no setting', async t => {
  t.same(readConfig({ PORT: '', DATABASE_URL: '', REDIS_URL: '' }), readConfig({}))
})

t.test('without settings the server listens on loopback and runs its own databases', async t => {
  t.match(readConfig({}), { host: '127.0.0.1', port: 9991, databaseUrl: undefined, redisUrl: undefined })
})
