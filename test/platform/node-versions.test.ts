// The newest Node that runs the server, and what a newer one says. npm brings both.
import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { program as main, projectRoot } from '../../server/config/paths.js'
import { dataDirectory } from './places.js'

const under = (version: number, ...args: string[]) =>
  ['npx', ['--yes', '--package', `node@${version}`, '--', 'node', ...args]] as const
const start = join(projectRoot, 'server/bin/start.mjs')

t.test('Node 22 runs the server', async t => {
  const env = { ...process.env, DATA_DIR: dataDirectory(t), PORT: '0', WORKERS: '1', LOG_LEVEL: 'error', DEMO: '1' }
  const [program, args] = under(22, '-e', `console.log(process.version); import(${JSON.stringify(main)})`)
  const server = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  const ended = new Promise(resolve => server.once('close', resolve))
  t.teardown(async () => {
    process.kill(-(server.pid ?? 0), 'SIGTERM')
    await ended
  })
  let output = ''
  for await (const text of server.stdout) {
    output += text
    if (output.includes('ready ')) break
  }
  t.match(output, /^v22\./)
  const url = /^ready (.*)$/m.exec(output)?.[1]
  const settings = (await (await fetch(`${url}/api/v1/server_settings`)).json()) as { result: string }
  t.equal(settings.result, 'success')
  const { direct_admins } = (await (await fetch(`${url}/api/v1/dev_list_users`)).json()) as {
    direct_admins: { email: string }[]
  }
  const username = direct_admins[0]?.email ?? ''
  const post = (path: string, params: Record<string, string>, authorization = '') =>
    fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      body: new URLSearchParams(params),
      headers: authorization ? { authorization } : {},
    }).then(response => response.json() as Promise<Record<string, string | number>>)
  const { api_key } = await post('/dev_fetch_api_key', { username })
  const authorization = `Basic ${Buffer.from(`${username}:${api_key}`).toString('base64')}`
  const { queue_id } = await post('/register', { event_types: '["message"]' }, authorization)
  const sent = await post('/messages', { type: 'direct', to: `["${username}"]`, content: 'to myself' }, authorization)
  const query = new URLSearchParams({ queue_id: String(queue_id), last_event_id: '-1' })
  const polled = await fetch(`${url}/api/v1/events?${query}`, { headers: { authorization } })
  const { events } = (await polled.json()) as { events: { message: { id: number } }[] }
  t.equal(events[0]?.message.id, sent.id)
})

t.test('Node 24 is refused with a command that runs the server', async t => {
  const [program, args] = under(24, start)
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  t.equal(status, 1)
  t.match(stderr, /^Node v24\..* cannot run this server: it needs Node 20 or 22/m)
  t.match(stderr, /^npm can bring one .*: npx --yes --package node@22 -- npm start$/m)
})
