// An unchanged sample of Bolt, Slack's framework, with another address alone.
import { App, LogLevel } from '@slack/bolt'
import t from 'tap'
import { until } from '../../http/until.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const ann = await server.person({ full_name: 'Ann Lee' })
const bot = await server.person({ full_name: 'Robo', bot_type: 1, bot_owner_id: ann.id })
for (const who of [ann, bot]) await who.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'kitchen' }] })

async function startApp() {
  const app = new App({
    token: `xoxb-${bot.api_key}`,
    appToken: `xapp-${bot.api_key}`,
    socketMode: true,
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: `${server.url}/slack/api/` },
  })
  app.message('hello', async ({ message, say }) => {
    if (message.subtype === undefined) await say(`Hey there <@${message.user}>!`)
  })
  app.event('app_mention', async ({ event, say }) => {
    await say({ text: `You said: ${event.text}`, thread_ts: event.thread_ts ?? event.ts })
  })
  app.event('reaction_added', async ({ event, client }) => {
    const { channel, ts } = event.item
    await client.reactions.add({ channel, timestamp: ts, name: event.reaction })
  })
  await app.start()
  return app
}

const say = async (to: string, topic: string, content: string) =>
  (await ann.ok('POST', '/messages', { type: 'channel', to, topic, content })).id as number

const texts = async () => {
  const { messages } = await ann.ok('GET', '/messages', {
    anchor: 'newest',
    num_before: 20,
    narrow: [['sender', bot.id]].map(([operator, operand]) => ({ operator, operand })),
    apply_markdown: false,
    allow_empty_topic_name: true,
  })
  return messages.map(({ subject, content }: { subject: string; content: string }) => `${subject}: ${content}`)
}

t.test('the sample answers messages, mentions and reactions', async t => {
  const app = await startApp()
  t.teardown(() => app.stop())
  await say('kitchen', '', 'hello')
  await until(async () => (await texts()).includes(`: Hey there @**|${ann.id}**!`))
  await say('kitchen', 'lunch', `@**Robo** **soup**?`)
  await until(async () => (await texts()).includes(`lunch: You said: @**|${bot.id}** **soup**?`))
  const id = await say('kitchen', '', 'react to this')
  await ann.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
  await until(async () => {
    const { message } = await ann.ok('GET', `/messages/${id}`)
    return message.reactions.some(({ user_id }: { user_id: number }) => user_id === bot.id)
  })
  t.equal((await texts()).length, 2, 'it answers nothing twice, and not itself')
})

t.test('a message while the program was away is answered once when it comes back', async t => {
  const before = (await texts()).length
  for (const name of ['one', 'two', 'three']) await say('kitchen', name, `@**Robo** ${name}`)
  const app = await startApp()
  t.teardown(() => app.stop())
  await until(async () => (await texts()).length >= before + 3)
  await say('kitchen', 'four', '@**Robo** four')
  await until(async () => (await texts()).some((text: string) => text.startsWith('four: ')))
  // It works on several at a time.
  t.same(
    (await texts())
      .slice(before)
      .map((text: string) => text.split(':')[0])
      .sort(),
    ['four', 'one', 'three', 'two'],
  )
})
