// The commands of docs/deployment.md for a machine with systemd, in their order, and the service that they install.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readlinkSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { projectRoot } from '../../../server/config/paths.js'
import { freePort } from '../../../server/embedded/ports.js'
import { Api } from '../../support/http.js'
import { readSteps } from '../documents/read-commands.js'
import { dataDirectory } from '../places.js'
import { runProgram } from '../program.js'
import { Machine } from './machine.js'
import { bin, ownPostgres } from './own-postgres.js'

const hasTools = bin !== undefined && ['bash', 'openssl'].every(tool => spawnSync(tool, ['version']).status !== null)
const options = { skip: !hasTools && 'needs PostgreSQL, bash and openssl' }
const commandsOf = (heading: string) => readSteps('docs/deployment.md', heading).map(({ commands }) => commands)

/** Starts Redis with a file of settings, as the service of Debian does. */
async function startRedis(t: Test, file: string): Promise<void> {
  const child = spawn('redis-server', [file, '--daemonize', 'no'], { stdio: 'ignore' })
  t.teardown(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  })
}

t.test('the commands make a machine on which the service runs, and its first owner signs in', options, async t => {
  const postgres = new URL(await ownPostgres(t, 'postgres'))
  const redisPort = await freePort()
  const machine = new Machine(
    t,
    { PGHOST: postgres.hostname, PGPORT: postgres.port, PGUSER: postgres.username, PGDATABASE: 'postgres' },
    { '127.0.0.1:5432': postgres.host, '127.0.0.1:6379': `127.0.0.1:${redisPort}` },
  )
  // Like the file of the package.
  const redisData = dataDirectory(t)
  const packaged = [
    'bind 127.0.0.1 -::1',
    `port ${redisPort}`,
    `dir ${redisData}`,
    'daemonize yes',
    'appendonly no',
    'save 900 1',
  ]
  writeFileSync(join(machine.root, 'etc/redis/redis.conf'), `${packaged.join('\n')}\n`)

  const [program, role, redis, settings, service, owner, kernel, ...more] = commandsOf('With systemd')
  t.same(more, [], 'each block of commands is run')
  await machine.run([program, role, redis, settings, service].join(''))
  t.equal(readlinkSync(join(machine.root, 'opt/parley')), join(machine.root, 'opt/parley-1'))
  t.equal(statSync(join(machine.root, 'etc/parley/parley.env')).mode & 0o777, 0o600)
  t.same(machine.calls(), [
    'useradd --system --home-dir '.concat(join(machine.root, 'var/lib/parley'), ' --shell /usr/sbin/nologin parley'),
    'npm ci --include=dev',
    'npm run build',
    'npm ci --omit=dev',
    'systemctl restart redis-server',
    'systemctl daemon-reload',
    'systemctl enable --now parley',
  ])

  await startRedis(t, join(machine.root, 'etc/redis/redis.conf'))
  const given = machine.serviceSettings()
  await t.test('Redis has the settings of redis.conf, a password, and the directory of the package', async t => {
    const { password } = new URL(given.REDIS_URL ?? '')
    t.equal(password.length, 48)
    const client = new Redis(given.REDIS_URL ?? '', { retryStrategy: () => 50 })
    t.teardown(() => client.disconnect())
    client.on('error', () => undefined)
    const of = async (name: string) => String(await client.config('GET', name))
    t.equal(await of('maxmemory-policy'), 'maxmemory-policy,noeviction')
    t.equal(await of('appendonly'), 'appendonly,yes')
    t.equal(await of('save'), 'save,')
    t.equal(await of('dir'), `dir,${redisData}`)
    t.equal(await of('requirepass'), `requirepass,${password}`)
  })

  const unit = machine.read('etc/systemd/system/parley.service')
  const [, command = ''] = /^ExecStart=\/usr\/bin\/node (\S+)$/m.exec(unit) ?? []
  const file = join(machine.root, 'opt/parley', command)
  const server = runProgram(t, { ...given, PORT: '0', WORKERS: '1', LOG_LEVEL: 'warn' }, { file })
  const url = (await server.ready).trim().replace(/^ready /, '')

  const made = await machine.run(owner ?? '', join(machine.root, 'opt/parley'))
  const [, apiKey = ''] = /^api_key: (\S+)$/m.exec(made) ?? []
  const api = new Api(url, { email: 'you@chat.example', api_key: apiKey })
  t.match(await api.ok('GET', '/users/me'), { full_name: 'You', role: 100 })

  await machine.run(kernel ?? '')
  t.equal(machine.read('etc/sysctl.d/60-parley.conf'), 'net.ipv4.tcp_migrate_req=1\n')

  await t.test('the commands of an upgrade change the version that runs, and back', async t => {
    const [upgrade, back, ...more] = commandsOf('Upgrade')
    t.same(more, [])
    await machine.run(upgrade ?? '')
    t.equal(readlinkSync(join(machine.root, 'opt/parley')), join(machine.root, 'opt/parley-2'))
    await machine.run(back ?? '')
    t.equal(readlinkSync(join(machine.root, 'opt/parley')), join(machine.root, 'opt/parley-1'))
    t.equal(machine.calls().filter(call => call === 'systemctl restart parley').length, 2)
  })

  server.process.kill('SIGTERM')
  const { how, errors } = await server.ended
  t.equal(how, 0)
  t.same(
    errors.split('\n').filter(line => line.startsWith('{')),
    [],
    'nothing to warn of',
  )
})

const canVerify = spawnSync('systemd-analyze', ['--version']).status === 0
t.test('systemd has no objections to the unit', { skip: !canVerify && 'needs systemd-analyze' }, async t => {
  const { status, stderr } = spawnSync(
    'systemd-analyze',
    ['verify', '--man=no', join(projectRoot, 'docs/deployment/parley.service')],
    {
      encoding: 'utf8',
    },
  )
  t.same({ status, stderr }, { status: 0, stderr: '' })
})
