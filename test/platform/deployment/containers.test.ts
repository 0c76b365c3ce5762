// What compose.yaml and the Dockerfile run, and the commands for them in docs/deployment.md, without the containers.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import t from 'tap'
import { projectRoot } from '../../../server/config/paths.js'
import { freePort } from '../../../server/embedded/ports.js'
import { Api } from '../../support/http.js'
import { testOrganization } from '../../support/server.js'
import { dataDirectory } from '../places.js'
import { runProgram } from '../program.js'

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8')
const compose = read('compose.yaml')
const image = read('Dockerfile')
const documented = read('docs/deployment.md')

/** The text of a service in compose.yaml. */
function serviceOf(name: string): string {
  const [, text = ''] = new RegExp(`^ {2}${name}:\\n((?:(?: {4}.*)?\\n)+)`, 'm').exec(compose) ?? []
  return text
}

/** `NAME: value` lines of a service's environment; secrets from `.env`. */
function environmentOf(service: string, secrets: Record<string, string>): Record<string, string> {
  const [, text = ''] = /^ {4}environment:\n((?: {6}.*\n)+)/m.exec(serviceOf(service)) ?? []
  const lines = [...text.matchAll(/^ {6}(\w+): "?(.*?)"?$/gm)]
  const filled = (value = '') => value.replaceAll(/\$\{(\w+):\?[^}]*\}/g, (_, name) => secrets[name] ?? '')
  return Object.fromEntries(lines.map(([, name, value]) => [String(name), filled(value)]))
}

t.test('the commands of the document name services of compose.yaml, and files of the image', async t => {
  const services = [...documented.matchAll(/docker compose exec (?:-\S+ )*(\w+)/g)].map(([, name]) => String(name))
  t.ok(services.length > 1)
  for (const name of services) t.not(serviceOf(name), '', name)
  t.match(documented, /^ {4}docker tag parley parley:before$/m)
  t.match(serviceOf('server'), /^ {4}image: parley$/m)
  const { POSTGRES_USER, POSTGRES_DB } = environmentOf('postgres', {})
  t.same({ POSTGRES_USER, POSTGRES_DB }, { POSTGRES_USER: 'parley', POSTGRES_DB: 'parley' })
  for (const [, file = ''] of `${documented}${image}`.matchAll(
    /(?:node |"node", ")((?:server|dist)\/[\w/.-]+\.m?js)/g,
  )) {
    t.ok(existsSync(join(projectRoot, file)), file)
    t.match(image, new RegExp(`^COPY .*\\./${file.split('/')[0]}$`, 'm'), `${file} is in the image`)
  }
})

t.test('the command of the container of Redis starts it with redis.conf and the password', async t => {
  const service = serviceOf('redis')
  const [, script = ''] = /^ {6}- \|\n((?: {8}.*\n)+)/m.exec(service) ?? []
  const [directory, port] = [dataDirectory(t), await freePort()]
  const here = script
    .replaceAll(/^ {8}/gm, '')
    .replaceAll('$$', '$')
    .replace('/etc/parley-redis.conf', join(projectRoot, 'redis.conf'))
    .replace('dir /data', `dir ${directory}\nport ${port}`)
  const password = 'secret'
  const child = spawn('sh', ['-c', here], { env: { PATH: process.env.PATH, REDISCLI_AUTH: password }, stdio: 'ignore' })
  t.teardown(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  })
  const redis = new Redis(`redis://default:${password}@127.0.0.1:${port}`, { retryStrategy: () => 50 })
  t.teardown(() => redis.disconnect())
  redis.on('error', () => undefined)
  t.equal(String(await redis.config('GET', 'dir')), `dir,${directory}`)
  t.equal(String(await redis.config('GET', 'maxmemory-policy')), 'maxmemory-policy,noeviction')
  t.equal(String(await redis.config('GET', 'requirepass')), `requirepass,${password}`)

  const [, check = ''] = /test: \["CMD-SHELL", "(.*)"\]/.exec(service) ?? []
  const env = { PATH: process.env.PATH, REDISCLI_AUTH: password }
  const isHealthy = (at: number) =>
    spawnSync('sh', ['-c', check.replace('redis-cli', `redis-cli -p ${at}`)], { env }).status
  t.equal(isHealthy(port), 0)
  t.equal(isHealthy(await freePort()), 1)
})

t.test('the program of the image runs with its settings, is healthy, and gets its first owner', async t => {
  const organization = await testOrganization(t)
  const secrets = { POSTGRES_PASSWORD: 'one', REDIS_PASSWORD: 'two' }
  const composed = environmentOf('server', secrets)
  t.equal(composed.DATABASE_URL, 'postgres://parley:one@postgres:5432/parley')
  t.equal(composed.REDIS_URL, 'redis://default:two@redis:6379')
  const PORT = String(await freePort())
  const own = organization.env({ DATA_DIR: dataDirectory(t), PORT, WORKERS: '1' })
  const settings = { ...secrets, ...composed, ...own }
  const [, program = ''] = /^CMD \["node", "(.*)"\]$/m.exec(image) ?? []
  const server = runProgram(t, settings, { file: join(projectRoot, program) })
  t.equal(await server.ready, `ready http://0.0.0.0:${PORT}\n`)

  const [, health = ''] = /^HEALTHCHECK .* CMD \["node", "(.*)"\]$/m.exec(image) ?? []
  t.equal((await run(settings, [health])).code, 0)
  const [, owner = ''] = /^ {4}docker compose exec server node (\S+ user create .*)$/m.exec(documented) ?? []
  const made = await run(settings, owner.split(' '))
  t.match(made, { code: 0 })
  const [, api_key = ''] = /^api_key: (\S+)$/m.exec(made.output) ?? []
  const api = new Api(`http://127.0.0.1:${PORT}`, { email: 'you@chat.example', api_key })
  t.match(await api.ok('GET', '/users/me'), { full_name: 'You', role: 100 })
})

/** A program of the image, with the environment of the container. */
async function run(settings: Record<string, string>, [file = '', ...args]: readonly string[]) {
  const child = spawn(process.execPath, [join(projectRoot, file), ...args], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', text => {
    output += text
  })
  const [code] = await once(child, 'close')
  return { code, output }
}
