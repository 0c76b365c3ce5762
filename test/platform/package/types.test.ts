import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { projectRoot } from '../../../server/config/paths.js'
import { consumer, run } from './consumer.js'

const compiler = join(projectRoot, 'node_modules/typescript/bin/tsc')
const directory = consumer(t)

const application = `
import { type Client, connect, type EndReason, type Position, RequestError } from 'parley-client'
import WebSocket from 'ws'

const client: Client = connect({ url: 'http://127.0.0.1:1', webSocket: WebSocket, register: {}, codec: 'msgpack' })
client.on('message', ({ id, message, flags }) => {
  const content: string = message.content
  const isRead: boolean = flags.includes('read')
  return [id.toFixed(), content, isRead]
})
client.on('reaction', event => event.op === 'add' && event.emoji_name.length)
client.on('something_new', event => event.type)
client.observe('state', ({ state, retryInMs, closed }) => [state === 'live', retryInMs, closed?.code])
client.observe('restarted', ({ queue_id }) => queue_id.length)
const position: Position | undefined = client.position
const reason: EndReason = await client.ended
try {
  await client.request('GET', '/users/me')
} catch (error) {
  if (error instanceof RequestError && error.code === 'RATE_LIMIT_HIT') console.log(error.retryAfterMs)
}
console.log(position, reason)
`

/** What the compiler says of programs that use the package, by their names. */
function compile(programs: Record<string, string>, resolution: 'bundler' | 'nodenext', lib: string[]): string {
  const compilerOptions = {
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    target: 'es2023',
    lib,
    types: ['node'],
    module: resolution === 'nodenext' ? 'nodenext' : 'esnext',
    moduleResolution: resolution,
  }
  const files = Object.keys(programs)
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  for (const [file, program] of Object.entries(programs)) writeFileSync(join(directory, file), program)
  try {
    return run(directory, process.execPath, compiler, '--project', '.')
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

const wrong: Record<string, [string, RegExp]> = {
  'codec.ts': [application.replace("codec: 'msgpack'", "codec: 'xml'"), /TS2322.*"xml"/],
  'field.ts': [application.replace('message.content', 'message.words'), /TS2339.*'words'/],
  'address.ts': [application.replace("url: 'http://127.0.0.1:1', ", ''), /TS2741.*'url'/],
  'notice.ts': [application.replace("observe('restarted'", "observe('resurrected'"), /TS2345.*"resurrected"/],
  'inside.ts': [application.replace("'parley-client'", "'parley-client/client/session.js'"), /TS2307/],
}

for (const resolution of ['bundler', 'nodenext'] as const) {
  t.test(`types are found and right under moduleResolution ${resolution}`, async t => {
    t.equal(compile({ 'application.ts': application }, resolution, ['es2023', 'dom']), '')
    t.equal(
      compile({ 'application.ts': application }, resolution, ['es2023']),
      '',
      'without the types of a browser, too',
    )
  })

  t.test(`what the types refuse under ${resolution}`, async t => {
    const programs = Object.fromEntries(Object.entries(wrong).map(([file, [program]]) => [file, program]))
    const lines = compile(programs, resolution, ['es2023', 'dom']).split('\n')
    for (const [file, [, complaint]] of Object.entries(wrong)) {
      t.match(lines.find(line => line.startsWith(file)) ?? 'nothing', complaint, file)
    }
  })
}
