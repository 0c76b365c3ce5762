// The Node that runs the server, an older and a newer one, which use it. npm brings them all.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { program as main, projectRoot } from '../../server/config/paths.js'
import { dataDirectory } from './places.js'

/** The path of a Node of this version. */
const node = (version: number) =>
  execFileSync('npx', ['--yes', '--package', `node@${version}`, '--', 'node', '-p', 'process.execPath'], {
    encoding: 'utf8',
  }).trim()
const start = join(projectRoot, 'server/bin/start.mjs')

t.test('Node 22 runs the server', async t => {
  const { output } = await running(t, 22, '-e', `console.error(process.version); import(${JSON.stringify(main)})`)
  t.match(output, /^v22\./m)
})

for (const version of [20, 24]) {
  t.test(`under Node ${version} the server runs in Node 22, and a signal stops both`, async t => {
    const { output, pid, stop } = await running(t, version, start)
    const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
    t.match(execFileSync(`/proc/${child}/exe`, ['--version'], { encoding: 'utf8' }), /^v22\./)
    t.match(output, /^ready /m)
    t.equal(await stop(), 0)
  })
}

t.test('an installation under Node 20 warns of nothing', async t => {
  const npm = execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim()
  const args = [join(npm, 'npm/bin/npm-cli.js'), 'ci', '--dry-run', '--no-audit', '--no-fund']
  // The tests may run within `npm run --silent`.
  const env = { ...process.env, npm_config_loglevel: 'warn' }
  const { status, stderr } = spawnSync(node(20), args, { cwd: projectRoot, encoding: 'utf8', env })
  t.equal(status, 0)
  t.equal(stderr, '')
})

/** Starts a server and shows that it serves a client; with what it wrote until it was ready, and how it ends. */
async function running(t: Test, version: number, ...args: string[]) {
  const env = { ...process.env, DATA_DIR: dataDirectory(t), PORT: '0', WORKERS: '1', LOG_LEVEL: 'error', DEMO: '1' }
  const server = spawn(node(version), args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>(resolve => server.once('close', resolve))
  const stop = () => {
    server.kill('SIGTERM')
    return ended
  }
  t.teardown(stop)
  let output = ''
  const ready = new Promise<string>((resolve, reject) => {
    server.once('close', () => reject(new Error(output)))
    for (const stream of [server.stdout, server.stderr])
      stream.on('data', text => {
        output += text
        const url = /^ready (.*)$/m.exec(output)?.[1]
        if (url) resolve(url)
      })
  })
  await serves(t, await ready)
  return { output, pid: server.pid, stop }
}

async function serves(t: Test, url: string) {
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
}
