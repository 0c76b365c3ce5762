// Messages to outgoing webhooks reach the bot's server once, and what it answers becomes a message of the bot.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import type { Loose } from '../support/in-step.js'
import { until } from '../support/redis-node.js'
import { startServer } from '../support/server.js'

interface Called {
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

const calls: Called[] = []
let answer: { status: number; body: string; headers?: Record<string, string> } | 'none' = { status: 200, body: '{}' }
const botServer = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', chunk => chunks.push(chunk))
  request.on('end', () => {
    calls.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
    if (answer === 'none') request.socket.destroy()
    else response.writeHead(answer.status, answer.headers).end(answer.body)
  })
})
await new Promise<void>(resolve => botServer.listen(0, '127.0.0.1', resolve))
t.teardown(() => botServer.close())
const origin = `http://127.0.0.1:${(botServer.address() as AddressInfo).port}`

const server = await startServer(t, { WEBHOOK_PRIVATE_ORIGINS: origin })
const anna = await server.person({ full_name: 'Anna' })
const ben = await server.person({ full_name: 'Ben' })
await anna.ok('POST', '/users/me/subscriptions', {
  subscriptions: [{ name: 'weather' }],
  principals: [anna.id, ben.id],
})
const { stream_id } = await anna.ok('GET', '/get_stream_id', { stream: 'weather' })
const makeBot = async (full_name: string, params: Loose = {}): Promise<{ id: number; key: string }> => {
  const short_name = full_name.toLowerCase()
  const { user_id, api_key } = await anna.ok('POST', '/bots', {
    full_name,
    short_name,
    bot_type: 3,
    payload_url: `${origin}/hook`,
    ...params,
  })
  return { id: user_id, key: api_key }
}
const bot = await makeBot('Weatherman')

const inChannel = (content: string, who = ben) =>
  who.ok('POST', '/messages', { type: 'stream', to: stream_id, topic: 'today', content })
const direct = (to: number[], content = 'hello', who = ben) =>
  who.ok('POST', '/messages', { type: 'direct', to, content })
const newest = async (who = ben): Promise<Loose> =>
  (await who.ok('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false }))
    .messages[0]
const idle = () =>
  until(async () => {
    const [row] =
      await server.sql`select count(*)::int as jobs from jobs where kind in ('outgoing-webhook', 'bot-message')`
    return row?.jobs === 0
  })
/** The calls that a message causes. */
async function callsOf(send: () => Promise<unknown>, expected = 1): Promise<Called[]> {
  calls.length = 0
  await send()
  if (expected > 0) await until(async () => calls.length >= expected)
  // A further message to the bot comes after all that this one causes.
  await idle()
  return [...calls]
}

t.test('a mention in a channel, by a person that the bot does not know', async t => {
  answer = { status: 200, body: JSON.stringify({ content: 'It **rains**.' }) }
  const [call, ...more] = await callsOf(() => inChannel('@**Weatherman** and again @**Weatherman**: rain?'))
  t.same(more, [])
  const body = JSON.parse(call?.body ?? '')
  t.match(call?.headers, { 'content-type': 'application/json', 'user-agent': /OutgoingWebhook\// })
  t.same(Object.keys(body).sort(), ['bot_email', 'bot_full_name', 'data', 'message', 'token', 'trigger'])
  t.match(body, {
    bot_full_name: 'Weatherman',
    data: '@**Weatherman** and again @**Weatherman**: rain?',
    trigger: 'mention',
    token: /^[A-Za-z0-9]{32}$/,
  })
  const keys = `avatar_url client content content_type display_recipient id is_me_message reactions recipient_id rendered_content
    sender_email sender_full_name sender_id sender_realm_str stream_id subject submessages timestamp topic_links type`
  t.same(Object.keys(body.message).sort(), keys.split(/\s+/))
  t.match(body.message, {
    content: '@**Weatherman** and again @**Weatherman**: rain?',
    rendered_content: /user-mention/,
    content_type: 'text/x-markdown',
    sender_full_name: 'Ben',
    display_recipient: 'weather',
    subject: 'today',
    type: 'stream',
    avatar_url: /^http/,
  })
  await until(async () => (await newest()).sender_id === bot.id)
  t.match(await newest(), { content: 'It **rains**.', stream_id, subject: 'today', client: 'OutgoingWebhookResponse' })
})

t.test('direct messages, alone and in a group', async t => {
  answer = { status: 200, body: JSON.stringify({ response_string: 'first', content: 'second' }) }
  const [call] = await callsOf(() => direct([bot.id]))
  t.match(JSON.parse(call?.body ?? ''), { trigger: 'direct_message', message: { type: 'private', subject: '' } })
  await until(async () => (await newest()).content === 'first')
  answer = { status: 200, body: '{"content": 3}' }
  await callsOf(() => direct([bot.id, anna.id], '@**Weatherman** hello'))
  await until(async () => (await newest(anna)).content === '3')
  t.equal((await newest(anna)).display_recipient.length, 3)
})

t.test('what does not call a bot', async t => {
  answer = { status: 200, body: '{}' }
  const { api_key } = await anna.ok('POST', '/bots', { full_name: 'Chatter', short_name: 'chatter' })
  const [row] = await server.sql`select delivery_email from users where full_name = 'Chatter'`
  const chatter = server.api({ email: row?.delivery_email, api_key })
  const quiet = await makeBot('Sleeper')
  await anna.ok('DELETE', `/bots/${quiet.id}`)
  await makeBot('Nowhere', { payload_url: undefined })
  const found = await callsOf(async () => {
    await chatter.ok('POST', '/messages', { type: 'direct', to: [bot.id], content: '@**Weatherman**' })
    await inChannel('@_**Weatherman** `@**Weatherman**` @**all** hello')
    await inChannel('`<span class="user-mention" data-user-id="1">` @**Nowhere**')
    t.equal((await ben.call('POST', '/messages', { type: 'direct', to: [quiet.id], content: 'x' })).status, 400)
    await inChannel(`@**Sleeper|${quiet.id}**`)
    const { id } = await inChannel('nothing yet')
    await ben.ok('PATCH', `/messages/${id}`, { content: '@**Weatherman**' })
    // The only one that calls.
    await direct([bot.id], 'the last one')
  })
  t.same(
    found.map(call => JSON.parse(call.body).data),
    ['the last one'],
  )
})

t.test('answers that say nothing', async t => {
  for (const body of ['{}', '""', '{"content":"  "}', '{"response_not_required":true,"content":"x"}']) {
    answer = { status: 200, body }
    const { id } = await (async () => {
      let sent: Loose = {}
      await callsOf(async () => {
        sent = await direct([bot.id], body)
      })
      return sent as { id: number }
    })()
    t.equal((await newest()).id, id, body)
  }
})

t.test('failures are said in the conversation and to the owner', async t => {
  const failing: [typeof answer, RegExp][] = [
    [{ status: 500, body: 'the reason' }, /status 500/],
    [{ status: 302, body: '', headers: { location: `${origin}/other` } }, /status 302/],
    [{ status: 200, body: '' }, /not valid/],
    [{ status: 204, body: '' }, /not valid/],
    [{ status: 200, body: '[]' }, /not valid/],
    [{ status: 200, body: '{"content":{}}' }, /not valid/],
    [{ status: 200, body: 'x' }, /not valid/],
  ]
  for (const [given, reason] of failing) {
    answer = given
    const asked = JSON.stringify(given)
    const found = await callsOf(() => direct([bot.id], asked))
    t.equal(found.length, 1, asked)
    await until(async () => /^Failure! /.test((await newest()).content))
    t.match((await newest()).content, reason, asked)
    await until(async () => /#narrow\/near\//.test((await newest(anna)).content))
    t.match(await newest(anna), { sender_id: bot.id, content: reason })
  }
})

t.test('a server that breaks off is asked four times', async t => {
  answer = 'none'
  const found = await callsOf(() => direct([bot.id], 'are you there?'), 4)
  t.equal(found.length, 4)
  await until(async () => (await newest()).content === 'Failure! Bot is unavailable')
  t.match(await newest(anna), { sender_id: bot.id, content: /Bot is unavailable/ })
})

t.test('addresses that are not public are not called', async t => {
  const other = createServer((_, response) => {
    t.fail('a private server was called')
    response.end()
  })
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
  t.teardown(() => other.close())
  const { port } = other.address() as AddressInfo
  for (const [i, url] of [`http://127.0.0.1:${port}/`, `http://[::1]:${port}/`].entries()) {
    const { id } = await makeBot(`Private${i}`, { payload_url: url })
    await direct([id])
    await until(async () => (await newest()).content === 'Failure! Bot is unavailable')
  }
})

t.test("Slack's form", async t => {
  const slack = await makeBot('Slacker', { interface_type: 2 })
  answer = { status: 200, body: JSON.stringify({ text: 'from *slack*', content: 'not looked at' }) }
  const [call] = await callsOf(() => inChannel('@**Slacker** hello'))
  t.equal(call?.headers['content-type'], 'application/x-www-form-urlencoded')
  const form = new URLSearchParams(call?.body)
  t.same(
    [...form.keys()],
    'token team_id team_domain channel_id channel_name thread_ts timestamp user_id user_name text trigger_word service_id'.split(
      ' ',
    ),
  )
  t.match(Object.fromEntries(form), {
    channel_id: `C${stream_id}`,
    channel_name: 'weather',
    user_id: `U${ben.id}`,
    user_name: 'Ben',
    text: '@**Slacker** hello',
    trigger_word: 'mention',
    service_id: String(slack.id),
    timestamp: /^\d+$/,
  })
  await until(async () => (await newest()).content === 'from *slack*')
  t.same(await callsOf(() => direct([slack.id]), 0), [])
  await until(async () => /^Failure! /.test((await newest()).content))
})
