// The document in the hands of others: two linters find nothing, and what three generators make of it compiles, registers, sends, reads with a
// narrow and takes events. npm brings them into a folder of their own: nothing here depends on them.
import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { spawnServer } from '../../support/server.js'
import { dataDirectory } from '../places.js'

const tools = [
  '@redocly/cli@2.77.0',
  '@stoplight/spectral-cli@6.16.3',
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  '@hey-api/openapi-ts@0.95.0',
  'swagger-typescript-api@13.13.0',
  'typescript@5.9.3',
  '@types/node@22.20.5',
]

const folder = dataDirectory(t)
// In a process of its own: this one waits for commands that ask it.
const server = await spawnServer(t)
const person = await server.person()
await person.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'kitchen' }] })

const file = (name: string, text: string) => writeFileSync(join(folder, name), text)
file('package.json', '{ "name": "generated", "private": true }')
file('openapi.json', await (await fetch(`${server.url}/api/v1/openapi.json`)).text())
execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...tools], {
  cwd: folder,
  stdio: ['ignore', 'ignore', 2],
})

/** Runs an installed command: its exit code and all that it wrote. */
function run(command: string, ...args: string[]) {
  const program = join(folder, 'node_modules/.bin', command)
  const env = { ...process.env, NO_COLOR: '1', REDOCLY_TELEMETRY: 'off' }
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8', env })
  return { status, output: stdout + stderr }
}

t.test('redocly and spectral find nothing', async t => {
  // The paths are those of existing clients: an id has digits, so they are not ambiguous here. Two operations answer with a redirect alone.
  const rules = ['no-ambiguous-paths', 'operation-2xx-response'].map(rule => `  ${rule}: off`)
  // The parts of `allOf` and `if` name a few of the properties that the whole has.
  const examples = '  no-invalid-media-type-examples: { severity: warn, allowAdditionalProperties: true }'
  file('redocly.yaml', ['extends: [recommended]', 'rules:', ...rules, examples, ''].join('\n'))
  const redocly = run('redocly', 'lint', 'openapi.json', '--format=json')
  t.equal(redocly.status, 0)
  const { problems } = JSON.parse(
    redocly.output.slice(redocly.output.indexOf('{\n'), redocly.output.lastIndexOf('}') + 1),
  )
  t.same(problems, [])
  file('.spectral.yaml', 'extends: ["spectral:oas"]\n')
  t.match(run('spectral', 'lint', 'openapi.json', '--fail-severity=hint'), { status: 0, output: /No results/ })
})

/** Compiles a program strictly, and returns what it prints when it talks to the server. */
function printed(program: string): { sent: number; read: number[]; event: { type: string; message: { id: number } } } {
  const options = [
    '--strict',
    '--skipLibCheck',
    '--target',
    'es2022',
    '--module',
    'commonjs',
    '--moduleResolution',
    'node10',
  ]
  const compiled = run('tsc', ...options, '--types', 'node', '--outDir', 'built', program)
  if (compiled.status !== 0) throw new Error(compiled.output)
  const authorization = `Basic ${btoa(`${person.email}:${person.api_key}`)}`
  const built = join(folder, 'built', program.replace('.ts', '.js'))
  const args = [built, `${server.url}/api/v1`, authorization]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', cwd: folder }))
}

const programs: Record<string, { generate: string[]; program: string }> = {
  'openapi-typescript': {
    generate: ['openapi.json', '--output', 'paths.ts', '--default-non-nullable', 'false'],
    program: `
      import createClient from 'openapi-fetch'
      import type { paths } from './paths'
      const [, , baseUrl = '', Authorization = ''] = process.argv
      const client = createClient<paths>({ baseUrl, headers: { Authorization } })
      const register = async () => (await client.POST('/register', { body: { event_types: ['message'] } })).data
      const send = async (content: string) =>
        (await client.POST('/messages', { body: { type: 'channel', to: 'kitchen', topic: 'lunch', content } })).data
      const read = async (narrow: string) =>
        (await client.GET('/messages', { params: { query: { anchor: 'newest', num_before: 1, narrow } } })).data
      const take = async (queue_id: string) =>
        (await client.GET('/events', { params: { query: { queue_id, last_event_id: -1 } } })).data
    `,
  },
  'openapi-ts': {
    generate: ['-i', 'openapi.json', '-o', 'hey'],
    program: `
      import { client } from './hey/client.gen'
      import * as api from './hey/sdk.gen'
      const [, , baseUrl = '', Authorization = ''] = process.argv
      client.setConfig({ baseUrl, headers: { Authorization } })
      const register = async () => (await api.register({ body: { event_types: ['message'] } })).data
      const send = async (content: string) =>
        (await api.sendMessage({ body: { type: 'channel', to: 'kitchen', topic: 'lunch', content } })).data
      const read = async (narrow: string) =>
        (await api.getMessages({ query: { anchor: 'newest', num_before: 1, narrow } })).data
      const take = async (queue_id: string) => (await api.getEvents({ query: { queue_id, last_event_id: -1 } })).data
    `,
  },
  'swagger-typescript-api': {
    generate: ['generate', '--path', 'openapi.json', '--output', 'sta', '--name', 'api.ts'],
    program: `
      import { Api } from './sta/api'
      const [, , baseUrl = '', Authorization = ''] = process.argv
      const api = new Api({ baseUrl, baseApiParams: { headers: { Authorization }, format: 'json' } })
      const register = async () => (await api.register.register({ event_types: ['message'] })).data
      const send = async (content: string) =>
        (await api.messages.sendMessage({ type: 'channel', to: 'kitchen', topic: 'lunch', content })).data
      const read = async (narrow: string) =>
        (await api.messages.getMessages({ anchor: 'newest', num_before: 1, narrow })).data
      const take = async (queue_id: string) => (await api.events.getEvents({ queue_id, last_event_id: -1 })).data
    `,
  },
}

// The same for all: what is checked is that the types lead here and the server takes what the client sends.
const main = `
  async function main() {
    const queue = (await register())?.queue_id
    if (typeof queue !== 'string') throw new Error('no queue')
    const sent = (await send('Soup'))?.id
    const page = await read(JSON.stringify([['channel', 'kitchen'], ['topic', 'lunch']]))
    const events = (await take(queue))?.events
    console.log(JSON.stringify({ sent, read: page?.messages?.map(message => message.id), event: events?.[0] }))
  }
  void main()
`

for (const [name, { generate, program }] of Object.entries(programs)) {
  t.test(`${name}: the client registers, sends, reads with a narrow and takes events`, async t => {
    const { status, output } = run(name, ...generate)
    t.equal(status, 0, output)
    file(`${name}.ts`, program + main)
    const { sent, read, event } = printed(`${name}.ts`)
    t.same(read, [sent])
    t.match(event, { type: 'message', message: { id: sent } })
  })
}
