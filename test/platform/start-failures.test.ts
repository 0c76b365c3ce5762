// The real program, started with each wrong setting: it ends by itself, with one line that names the setting.
import { once } from 'node:events'
import { chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer as createWebServer } from 'node:http'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { Account } from '../../server/embedded/account.js'
import { freePort } from '../../server/embedded/ports.js'
import { startPostgres } from '../../server/embedded/postgres.js'
import { startRedis } from '../../server/embedded/redis.js'
import { testOrganization } from '../support/server.js'
import { runWith } from './admin/run-admin.js'
import { dataDirectory, quiet, stoppedAfter } from './places.js'
import { runProgram } from './program.js'

type Settings = Record<string, string>

const organization = await testOrganization(t)
const { sql } = organization
const { databaseUrl, redisUrl } = organization.services
const home = dataDirectory(t)
const lateMs = 5_000
const nobody = { uid: 65534, gid: 65534 }

/** Parts of an address replaced. */
function changed(address: string, change: (url: URL) => void): string {
  const url = new URL(address)
  change(url)
  return url.href
}

const port = async (server: Server) => {
  server.listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  return (server.address() as { port: number }).port
}
const at = (address: string, given: number) => changed(address, url => (url.port = String(given)))

/** An address that leads to the same server, whose answers have one text in place of another of the same length. */
async function pretending(address: string, from: string, to: string): Promise<string> {
  const relay = createServer(client => {
    const server = connect(Number(new URL(address).port), '127.0.0.1')
    client.pipe(server)
    server.on('data', data => client.write(data.toString('latin1').replaceAll(from, to), 'latin1'))
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const)
      one.on('close', () => other.destroy()).on('error', () => other.destroy())
  })
  return at(address, await port(relay))
}

async function role(name: string, rights: string): Promise<string> {
  await sql.unsafe(`create role ${name} login password 'right' ${rights}`)
  t.teardown(() => sql.unsafe(`drop role ${name}`))
  return changed(databaseUrl, url => {
    url.username = name
    url.password = 'right'
  })
}

const unlucky = organization.schema
const mere = await role(`${unlucky}_mere`, '')
await sql.unsafe(
  `create database ${unlucky}_latin template template0 encoding 'LATIN1' locale_provider libc locale 'C'`,
)
t.teardown(() => sql.unsafe(`drop database ${unlucky}_latin with (force)`))
const [{ number, version }] = await sql<[{ number: string; version: string }]>`
  select current_setting('server_version_num') as number, current_setting('server_version') as version`

const redisWith = async (...extraArgs: string[]) =>
  (await stoppedAfter(t, startRedis({ dataDir: dataDirectory(t), log: quiet, extraArgs }))).url
const [withoutFunctions, inCluster] = await Promise.all([
  redisWith('--rename-command', 'FUNCTION', ''),
  // Its second port would otherwise be in the range that the kernel uses for outgoing connections.
  redisWith('--cluster-enabled', 'yes', '--cluster-port', String(await freePort())),
])
const nothing = await freePort()
const web = await port(createWebServer((_, answer) => answer.end('a page')))
const silentServer = createServer(socket => void socket.on('error', () => undefined))
const silent = await port(silentServer)
const closing = await port(createServer(socket => socket.destroy()))
const file = join(home, 'file')
writeFileSync(file, '')

const own = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl }
const none = { DATABASE_URL: '', REDIS_URL: '' }
const database = (address: string): Settings => ({ ...own, DATABASE_URL: address })
const redis = (address: string): Settings => ({ ...own, REDIS_URL: address })

type Failure = readonly [what: string, settings: Settings, line: RegExp]

// Refused by what reads the settings of the server and of administration commands.
const misread: readonly Failure[] = [
  [
    'a PostgreSQL address of another kind',
    database('mysql://a:b@127.0.0.1/c'),
    /^The setting DATABASE_URL must be an address like postgres:/,
  ],
  ['a PostgreSQL address without a scheme', database('127.0.0.1:5432/parley'), /^The setting DATABASE_URL must be/],
  [
    'a password with a character that is not encoded',
    database('postgres://a:s#cret@127.0.0.1/c'),
    /^The setting DATABASE_URL must be .* encoded/,
  ],
  [
    'a Redis address of another kind',
    redis('http://127.0.0.1:6379'),
    /^The setting REDIS_URL must be an address like redis:/,
  ],
  ['a Redis address without a scheme', redis('127.0.0.1:6379'), /^The setting REDIS_URL must be/],
  [
    'a cluster with one address of another kind',
    redis('redis://127.0.0.1:6379,127.0.0.1:6380'),
    /^The setting REDIS_URL must be/,
  ],
  ['REDIS_URL alone', { ...none, REDIS_URL: redisUrl }, /^REDIS_URL is set and DATABASE_URL is missing/],
  [
    'a password of PostgreSQL alone',
    { ...none, POSTGRES_PASSWORD: 'x' },
    /^POSTGRES_PASSWORD is set and DATABASE_URL is missing/,
  ],
  [
    'a password of Redis alone',
    { ...none, DATABASE_URL: databaseUrl, REDIS_PASSWORD: 'x' },
    /^REDIS_PASSWORD is set and REDIS_URL is missing/,
  ],
  [
    'several servers with databases of their own',
    { ...none, SHARE_PORT: '1' },
    /^SHARE_PORT .* set DATABASE_URL and REDIS_URL\.$/m,
  ],
  ['a Unix socket of PostgreSQL alone', { ...none, DATABASE_SOCKET: '/run/x' }, /^DATABASE_SOCKET needs DATABASE_URL/],
  ['a Unix socket of Redis alone', { ...none, REDIS_SOCKET: '/run/x' }, /^REDIS_SOCKET needs REDIS_URL/],
]

// What the server and administration commands find when they begin. One of the settings above shows that commands read them the same way.
const ofBoth: readonly Failure[] = [
  ...misread.slice(0, 1),
  [
    'PostgreSQL that is not there',
    database(at(databaseUrl, nothing)),
    /^DATABASE_URL: PostgreSQL at 127\.0\.0\.1:\d+ does not answer: .*ECONNREFUSED/,
  ],
  [
    'a host that does not exist',
    database(changed(databaseUrl, url => (url.hostname = 'postgres.invalid'))),
    /^DATABASE_URL: the host "postgres\.invalid" is not known \((ENOTFOUND|EAI_AGAIN)\)\.$/m,
  ],
  [
    'PostgreSQL that says nothing',
    database(at(databaseUrl, silent)),
    /^DATABASE_URL: PostgreSQL at \S+ does not answer/,
  ],
  [
    'a socket that is not there',
    { ...own, DATABASE_SOCKET: join(home, 'none') },
    /^DATABASE_URL: PostgreSQL at \/.*\/none does not answer/,
  ],
  [
    'a wrong password',
    database(changed(databaseUrl, url => (url.password = 'wrong'))),
    /^DATABASE_URL: .* rejects the password of the role "parley"\.$/m,
  ],
  [
    'a role that does not exist',
    database(changed(databaseUrl, url => (url.username = 'stranger'))),
    /^DATABASE_URL: .* the role "stranger"/,
  ],
  [
    'a database that does not exist',
    database(changed(databaseUrl, url => (url.pathname = '/nowhere'))),
    /^DATABASE_URL: .* has no database "nowhere"\.$/m,
  ],
  [
    'a role that may not create the schema',
    { ...database(mere), DATABASE_SCHEMA: 'other' },
    /^DATABASE_URL: the role "\w+_mere" may not create the schema "other": run grant create/,
  ],
  ['a schema of another role', database(mere), /^DATABASE_URL: the role "\w+_mere" may not use the schema/],
  [
    'a database in another encoding',
    database(changed(databaseUrl, url => (url.pathname = `/${unlucky}_latin`))),
    /^DATABASE_URL: .* has the encoding LATIN1/,
  ],
  [
    'a PostgreSQL that is too old',
    database(await pretending(databaseUrl, number, `14${number.slice(2)}`)),
    new RegExp(`^DATABASE_URL: .* is version ${version.replaceAll('.', '\\.')}: 15 or newer is needed\\.$`, 'm'),
  ],
]

const ofServer: readonly Failure[] = [
  [
    'Redis in place of PostgreSQL',
    database(at(databaseUrl, Number(new URL(redisUrl).port))),
    /^DATABASE_URL: PostgreSQL at \S+ does not answer/,
  ],
  [
    'a server that closes each connection',
    database(at(databaseUrl, closing)),
    /^DATABASE_URL: PostgreSQL at \S+ does not answer/,
  ],
  [
    'Redis that is not there',
    redis(at(redisUrl, nothing)),
    /^REDIS_URL: Redis at 127\.0\.0\.1:\d+ does not answer: .*ECONNREFUSED/,
  ],
  [
    'a host of Redis that does not exist',
    redis('redis://redis.invalid:6379'),
    /^REDIS_URL: the host of redis\.invalid:6379 is not known \((ENOTFOUND|EAI_AGAIN)\)\.$/m,
  ],
  ['Redis that says nothing', redis(at(redisUrl, silent)), /^REDIS_URL: Redis at \S+ does not answer/],
  [
    'something that is not Redis',
    redis(`redis://127.0.0.1:${web}`),
    /^REDIS_URL: Redis cannot be used at 127\.0\.0\.1:\d+: /,
  ],
  [
    'a wrong password of Redis',
    redis(changed(redisUrl, url => (url.password = 'wrong'))),
    /^REDIS_URL: .* rejects the password: WRONGPASS/,
  ],
  [
    'no password of Redis',
    redis(changed(redisUrl, url => (url.password = ''))),
    /^REDIS_URL: .* rejects the password: NOAUTH/,
  ],
  [
    'a Redis that is too old',
    redis(await pretending(redisUrl, 'redis_version:7', 'redis_version:6')),
    /^REDIS_URL: .* is version 6\S*: Redis or Valkey 7 or newer is needed\.$/m,
  ],
  ['a Redis without Functions', redis(withoutFunctions), /^REDIS_URL: Redis has no Functions/],
  ['a node of a cluster as one Redis', redis(inCluster), /^REDIS_URL: .* is in a cluster/],
  ['one Redis as a cluster', redis(`${redisUrl},${redisUrl}`), /^REDIS_URL: several addresses are a cluster/],
  ['a directory that cannot be made', { DATA_DIR: '/proc/x' }, /^DATA_DIR \/proc\/x cannot be written to: ENOENT/],
  ['a file as the directory', { DATA_DIR: file }, /^DATA_DIR .*\/file cannot be written to: EEXIST/],
  [
    'files in a directory that cannot be made',
    { FILES_DIR: '/proc/x' },
    /^FILES_DIR: \/proc\/x cannot be written to .*: ENOENT/,
  ],
  [
    'files in a directory and in a bucket',
    { FILES_DIR: home, S3_BUCKET: 'x' },
    /^The setting FILES_DIR is for local files/,
  ],
  [
    'a port that another program uses',
    { PORT: String(web) },
    /^Port \d+ of 127\.0\.0\.1 is in use: .* choose another PORT\.$/m,
  ],
  [
    'an address that this machine does not have',
    { HOST: '192.0.2.1', PORT: '9' },
    /^The server may not listen on port 9 of 192\.0\.2\.1 .* HOST/,
  ],
]

// Most of them wait for half of their time.
t.jobs = 3
const atOnce = { buffered: true }

for (const [what, settings, line] of [...misread.slice(1), ...ofBoth, ...ofServer])
  t.test(`${what}: one line, and the end`, atOnce, async t => {
    const { how, errors } = await run(t, settings).ended
    t.equal(how, 1)
    t.match(errors, /^[^\n]+\n$/, 'one line')
    t.match(errors, line)
    t.notMatch(errors, /right|s#cret/, 'no password')
  })

for (const [what, settings, line] of ofBoth)
  t.test(`admin, ${what}: one line, and exit code 1`, atOnce, async t => {
    const { code, stdout, stderr } = await runWith({ ...environment(t), ...settings }, ['user', 'list'])
    t.same({ code, stdout }, { code: 1, stdout: '' })
    t.match(stderr, /^[^\n]+\n$/, 'one line')
    t.match(stderr, line)
  })

t.test('admin: a directory that cannot be made is named, also where a command would make a database in it', async t => {
  const settings = { ...environment(t), ...none, DATA_DIR: '/proc/x' }
  t.match(await runWith(settings, ['user', 'list']), {
    code: 1,
    stderr: /^No server runs [^\n]* DATA_DIR or DATABASE_URL\.\n$/,
  })
  t.match(await runWith(settings, ['import', file]), {
    code: 1,
    stderr: /^DATA_DIR \/proc\/x cannot be written to: [^\n]*\n$/,
  })
})

t.test('admin: Redis with a wrong password is named where a command needs Redis, as JSON on demand', async t => {
  const settings = { ...environment(t), ...redis(changed(redisUrl, url => (url.password = 'wrong'))) }
  const { code, stderr } = await runWith(settings, ['queue', 'list', '--json'])
  t.equal(code, 1)
  t.match(JSON.parse(stderr), { code: 'SETTINGS', message: /^REDIS_URL: .* rejects the password/ })
})

t.test(
  'a directory of another account is refused by name',
  { skip: process.getuid?.() !== 0 && 'needs root' },
  async t => {
    const directory = dataDirectory(t)
    mkdirSync(join(directory, 'mail'))
    const mine = await run(t, { ...own, DATA_DIR: directory }, nobody).ended
    t.match(mine, { how: 1, errors: /^DATA_DIR .* cannot be written to: EACCES[^\n]*\n$/ })
    chownSync(directory, nobody.uid, nobody.gid)
    const mail = await run(t, { ...own, DATA_DIR: directory }, nobody).ended
    t.match(mail, {
      how: 1,
      errors: /^DATA_DIR: .*\/mail cannot be written to by the account of the server: EACCES[^\n]*\n$/,
    })
  },
)

t.test('a start waits for PostgreSQL, says so once, and gives up in the end', atOnce, async t => {
  const settings = { ...database(at(databaseUrl, nothing)), START_WAIT_SECONDS: '2' }
  const { how, errors } = await run(t, settings).ended
  const [waiting = '', end, ...more] = errors.trimEnd().split('\n')
  t.equal(how, 1)
  t.match(JSON.parse(waiting), { msg: 'waiting for PostgreSQL', seconds: 2, reason: /ECONNREFUSED/ })
  t.match(end, /^DATABASE_URL: /)
  t.same(more, [])
})

for (const [what, settings] of [
  ['PostgreSQL', database(at(databaseUrl, nothing))],
  ['PostgreSQL that says nothing', database(at(databaseUrl, silent))],
  ['Redis', redis(at(redisUrl, nothing))],
] as const)
  t.test(`SIGTERM ends a start that waits for ${what}`, async t => {
    const asked = once(silentServer, 'connection')
    const program = run(t, { ...settings, START_WAIT_SECONDS: '600' })
    await (what.includes(' ') ? asked : once(program.process.stderr as Readable, 'data'))
    program.process.kill('SIGTERM')
    t.equal((await program.ended).how, 0)
  })

t.test('PostgreSQL is late: the server is ready after it', atOnce, async t => {
  const dataDir = dataDirectory(t)
  const first = await startPostgres({ dataDir, log: quiet, settings: { fsync: 'off' } })
  await first.stop()
  const program = run(t, { ...database(first.url), START_WAIT_SECONDS: '60' })
  await sleep(lateMs)
  await stoppedAfter(t, startPostgres({ dataDir, log: quiet, settings: { fsync: 'off' } }))
  t.match(await program.ready, /^ready /)
  program.process.kill('SIGTERM')
  t.match((await program.ended).errors, /"waiting for PostgreSQL"[\s\S]*"PostgreSQL answers"/)
})

t.test('Redis is late: the server is ready after it', atOnce, async t => {
  const dataDir = dataDirectory(t)
  const first = await startRedis({ dataDir, log: quiet })
  await first.stop()
  const program = run(t, { ...redis(first.url), START_WAIT_SECONDS: '60' })
  await sleep(lateMs)
  await stoppedAfter(t, startRedis({ dataDir, log: quiet }))
  t.match(await program.ready, /^ready /)
  program.process.kill('SIGTERM')
  t.match((await program.ended).errors, /"waiting for Redis"[\s\S]*"Redis answers"/)
})

function environment(t: Test): Settings {
  const names = { DATABASE_SCHEMA: unlucky, KEY_PREFIX: unlucky }
  return { ...names, ...own, DATA_DIR: dataDirectory(t), START_WAIT_SECONDS: '0', LOG_LEVEL: 'warn', WORKERS: '1' }
}

function run(t: Test, settings: Settings, account?: Account) {
  return runProgram(t, { ...environment(t), ...settings }, { account })
}
