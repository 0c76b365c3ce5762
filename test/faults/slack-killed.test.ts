// A program for Slack, made with Bolt, listens while all workers of its server are killed again and again.
import { setTimeout as sleep } from 'node:timers/promises'
import { App, LogLevel } from '@slack/bolt'
import t from 'tap'
import { spawnServer, startServer, testOrganization } from '../support/server.js'
import { kills } from './support/amounts.js'
import { eventually, seldom } from './support/wait.js'
import { signal, workersOf } from './support/workers.js'

const messagesPerKill = 40
// Bolt waits five seconds before it connects again.
const rounds = Math.ceil(kills / 3)

t.test('a program gets each message, and one that comes again has the same id', async t => {
  const organization = await testOrganization(t)
  const { person } = await startServer(t, {}, organization)
  const server = await spawnServer(t, { WORKERS: '2', LOG_LEVEL: process.env.FAULT_LOG ?? 'fatal' }, organization)
  const ann = await person()
  const bot = await person({ bot_type: 1, bot_owner_id: ann.id })
  for (const who of [ann, bot])
    await who.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'kitchen' }] })

  /** Ids of events, by the text of the message. */
  const received = new Map<string, string[]>()
  const app = new App({
    token: `xoxb-${bot.api_key}`,
    appToken: `xapp-${bot.api_key}`,
    socketMode: true,
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: `${server.url}/slack/api/` },
  })
  app.message(async ({ message, body }) => {
    const text = 'text' in message ? String(message.text) : ''
    received.set(text, [...(received.get(text) ?? []), body.event_id])
  })
  await app.start()
  t.teardown(() => app.stop())

  const sent: string[] = []
  const send = async () => {
    const content = `message ${sent.length}`
    await ann.ok('POST', '/messages', { type: 'channel', to: 'kitchen', topic: 'talk', content })
    sent.push(content)
  }
  const all = () => sent.every(text => received.has(text))
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < messagesPerKill; i++) {
      await send()
      if (i === messagesPerKill / 2) for (const pid of workersOf(server.process.pid)) signal(pid, 'SIGKILL')
      await sleep(5)
    }
    await eventually('the program has them all', all, seldom)
  }
  const again = [...received.values()].filter(ids => ids.length > 1).length
  t.comment(`${sent.length} messages, ${again} came again`)
  t.same([...received.keys()].sort(), [...sent].sort(), 'nothing lost')
  t.ok(
    [...received.values()].every(ids => new Set(ids).size === 1),
    'a message has one id',
  )
})
