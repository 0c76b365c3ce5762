import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { projectRoot } from '../../../server/config/paths.js'
import { until } from '../../support/client-log.js'
import type { Person } from '../../support/people.js'
import { spawnServer, testOrganization } from '../../support/server.js'
import { consumer } from './consumer.js'

const directory = consumer(t)
const readme = readFileSync(join(projectRoot, 'shared/README.md'), 'utf8')
const example = 'answering-bot.mjs'
copyFileSync(join(directory, 'node_modules/parley-client/examples', example), join(directory, example))

interface Running {
  readonly process: ChildProcess
  printed: string
}

/** A program of the consumer's, with an account from its environment. */
function start(t: Test, file: string, environment: Record<string, string>): Running {
  const env = { PATH: process.env.PATH, ...environment }
  const child = spawn('env', ['-u', 'NODE_OPTIONS', process.execPath, file], { cwd: directory, env })
  const running: Running = { process: child, printed: '' }
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', text => {
      running.printed += text
    })
  }
  t.teardown(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  return running
}

const account = (url: string, { email, api_key }: Person) => ({
  PARLEY_URL: url,
  PARLEY_EMAIL: email,
  PARLEY_API_KEY: api_key,
})

const organization = await testOrganization(t)
const first = await spawnServer(t, {}, organization)
const { port } = new URL(first.url)
const owner = await first.person({ role: 100 })
const person = await first.person()
const bot = await first.person({ bot_type: 1, bot_owner_id: owner.id })
await owner.ok('POST', '/users/me/subscriptions', {
  subscriptions: [{ name: 'general' }],
  principals: [owner.id, person.id, bot.id],
})

/** The newest message that the person can see in a conversation. */
async function newest(narrow: unknown): Promise<string> {
  const answer = await person.ok('GET', '/messages', {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    narrow,
    apply_markdown: false,
  })
  return (answer.messages as { content: string }[])[0]?.content ?? ''
}

async function untilNewest(narrow: unknown, content: string): Promise<void> {
  for (let tries = 0; (await newest(narrow)) !== content; tries += 1) {
    // The delay of a bot after a server outage is up to 30 s.
    if (tries > 1200) throw new Error(`"${content}" did not come, but "${await newest(narrow)}"`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

t.test('the quick start has at most 15 lines, and does what it says', async t => {
  const program = /```js\n(.*?)```/s.exec(readme)?.[1] ?? ''
  t.ok(program.length > 0)
  t.ok(program.trim().split('\n').length <= 15)
  writeFileSync(join(directory, 'quick-start.mjs'), program)
  const running = start(t, 'quick-start.mjs', account(first.url, person))
  await until(() => running.printed.includes(`${person.full_name}: Hello!`))
  t.match(running.printed, /^connecting\nlive\n/)
})

t.test('the example bot', async t => {
  const running = start(t, example, account(first.url, bot))
  const lunch = [
    ['channel', 'general'],
    ['topic', 'lunch'],
  ]
  const say = (content: string, topic = 'lunch') =>
    person.ok('POST', '/messages', { type: 'channel', to: 'general', topic, content })
  const between = [{ operator: 'dm', operand: [bot.id] }]
  await until(() => running.printed.includes('live\n'))

  t.test('answers who mentions it, in the same topic', async () => {
    await say(`@**${bot.full_name}** soup`)
    await untilNewest(lunch, 'You said: soup')
  })

  t.test('answers who writes to it directly', async () => {
    await person.ok('POST', '/messages', { type: 'direct', to: [bot.id], content: 'help' })
    await untilNewest(between, 'Say `time`, or anything else and I repeat it.')
  })

  t.test('says nothing to what is not meant for it, nor to itself', async t => {
    await say('soup for everybody')
    await person.ok('POST', '/messages', { type: 'direct', to: [bot.id], content: 'the end' })
    // Events come in order: an answer to an earlier message would have arrived by now.
    await untilNewest(between, 'You said: the end')
    t.equal(await newest(lunch), 'soup for everybody')
  })

  t.test('a refusal is reported, and the next message answered', async t => {
    await owner.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'quiet' }],
      principals: [person.id, bot.id],
    })
    await owner.ok('PATCH', `/streams/${(await owner.ok('GET', '/get_stream_id', { stream: 'quiet' })).stream_id}`, {
      can_send_message_group: { new: { direct_members: [person.id], direct_subgroups: [] } },
    })
    await person.ok('POST', '/messages', {
      type: 'channel',
      to: 'quiet',
      topic: 'x',
      content: `@**${bot.full_name}** hm`,
    })
    await until(() => running.printed.includes('not answered: '))
    t.match(running.printed, /not answered: [A-Z_]+ /)
    await say(`@**${bot.full_name}** still there?`)
    await untilNewest(lunch, 'You said: still there?')
  })

  t.test('resumes when the server restarts, and answers the requests that were sent during the restart', async t => {
    await first.stop()
    await until(() => /resuming: closed with \d+, again in \d+ ms/.test(running.printed))
    const second = await spawnServer(t, { PORT: port }, organization)
    t.equal(second.url, first.url)
    await say(`@**${bot.full_name}** back?`)
    await untilNewest(lunch, 'You said: back?')
    t.notMatch(running.printed, /a gap/)
    running.process.kill('SIGTERM')
    const [code] = await once(running.process, 'exit')
    t.equal(code, 0)
    t.match(running.printed, /closed: closed\n$/)
  })
})

t.test('the example bot without an account, or with a wrong one, ends with a sentence', async t => {
  const without = start(t, example, { PARLEY_URL: first.url })
  t.equal((await once(without.process, 'exit'))[0], 1)
  t.match(without.printed, /^Set PARLEY_URL, PARLEY_EMAIL and PARLEY_API_KEY\.\n$/)
  const server = await spawnServer(t, {}, organization)
  const wrong = start(t, example, { ...account(server.url, bot), PARLEY_API_KEY: 'x'.repeat(32) })
  t.equal((await once(wrong.process, 'exit'))[0], 1)
  t.match(wrong.printed, /closed: unauthenticated\n$/)
})
