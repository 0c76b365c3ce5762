import { WebClient } from '@slack/web-api'
import t from 'tap'
import { startServer } from '../../support/server.js'
import { callSlack, errorOf, slackClient } from './slack.js'

const server = await startServer(t)
const ann = await server.person({ full_name: 'Ann Lee' })
const bob = await server.person({ full_name: 'Bob Kahn' })
const bot = await server.person({ full_name: 'Robo', bot_type: 1, bot_owner_id: ann.id })
for (const who of [ann, bot]) await who.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'kitchen' }] })
const { stream_id: kitchen } = await ann.ok('GET', '/get_stream_id', { stream: 'kitchen' })
const channel = `C${kitchen}`
const slack = slackClient(server, bot)

const contentOf = async (id: number) => (await ann.ok('GET', `/messages/${id}`)).raw_content
async function newest() {
  const { messages } = await ann.ok('GET', '/messages', {
    anchor: 'newest',
    num_before: 1,
    apply_markdown: false,
    allow_empty_topic_name: true,
  })
  return messages[0]
}

t.test('a program learns who it is', async t => {
  t.match(await slack.auth.test(), {
    ok: true,
    user: 'Robo',
    user_id: `U${bot.id}`,
    bot_id: `B${bot.id}`,
    team_id: 'T1',
    url: /^http:/,
  })
  t.match(await slackClient(server, ann).auth.test(), { user_id: `U${ann.id}` })
  const plain = new WebClient(bot.api_key, { slackApiUrl: `${server.url}/slack/api/` })
  t.match(await plain.auth.test(), { ok: true }, 'a key without a prefix counts, too')
})

t.test('a program posts, changes and removes a message', async t => {
  const posted = await slack.chat.postMessage({ channel, text: `*Soup* for <@U${bob.id}> &amp; all` })
  const message = await newest()
  t.match(message, { sender_id: bot.id, subject: '', content: `**Soup** for @**|${bob.id}** & all` })
  t.equal(posted.ts, `${message.timestamp}.${String(message.id % 1_000_000).padStart(6, '0')}`)
  t.match(posted, { channel, message: { text: `*Soup* for <@U${bob.id}> &amp; all`, user: `U${bot.id}` } })
  const ts = posted.ts as string
  t.match(await slack.chat.update({ channel, ts, text: '~Stew~' }), { ok: true, channel, ts, text: '~Stew~' })
  t.equal(await contentOf(message.id), '~~Stew~~')
  t.match(await slack.chat.delete({ channel, ts }), { ok: true, channel, ts })
  t.equal(await errorOf(slack.chat.delete({ channel, ts })), 'message_not_found')
})

t.test('blocks and attachments become Markdown', async t => {
  await slack.chat.postMessage({
    channel: '#kitchen',
    text: 'for devices without blocks',
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: 'Menu' } },
      { type: 'section', text: { type: 'mrkdwn', text: '<https://a.example|Recipe> <!channel>' } },
      { type: 'divider' },
      { type: 'actions', elements: [] },
    ],
    attachments: [{ title: 'Salad', text: '_green_' }],
  })
  t.equal((await newest()).content, '# Menu\n\n[Recipe](https://a.example) @**all**\n\n---\n\n**Salad**\n\n*green*')
  await slack.chat.postMessage({ channel, markdown_text: '**as it is**' })
  t.equal((await newest()).content, '**as it is**')
})

t.test('a thread is a topic', async t => {
  const { id } = await ann.ok('POST', '/messages', { type: 'channel', to: kitchen, topic: 'lunch', content: 'When?' })
  const { message } = await ann.ok('GET', `/messages/${id}`)
  const ts = `${message.timestamp}.${String(id % 1_000_000).padStart(6, '0')}`
  await slack.chat.postMessage({ channel, thread_ts: ts, text: 'At noon' })
  t.match(await newest(), { subject: 'lunch', content: 'At noon' })
  t.equal(await errorOf(slack.chat.postMessage({ channel, thread_ts: '1.000001', text: 'x' })), 'thread_not_found')
})

t.test('where each message has a topic, the first line is the topic', async t => {
  const { id } = await ann.ok('POST', '/channels/create', { name: 'builds', subscribers: [ann.id, bot.id] })
  await ann.ok('PATCH', `/streams/${id}`, { topics_policy: 'disable_empty_topic' })
  const { ts } = await slack.chat.postMessage({ channel: `C${id}`, text: 'Build 7 failed\nin 3 s' })
  t.match(await newest(), { subject: 'Build 7 failed' })
  await slack.chat.postMessage({ channel: `C${id}`, thread_ts: ts, text: 'Again' })
  t.match(await newest(), { subject: 'Build 7 failed', content: 'Again' })
})

t.test('a program writes to people', async t => {
  t.match(await slack.chat.postMessage({ channel: `U${bob.id}`, text: 'Hi' }), { channel: `D${bob.id}` })
  t.match(await newest(), { content: 'Again' }, 'others do not see it')
  const { messages } = await bob.ok('GET', '/messages', { anchor: 'newest', num_before: 1, narrow: [['is', 'dm']] })
  t.match(messages, [{ sender_id: bot.id, content: '<p>Hi</p>' }])
  const group = `G${ann.id}U${bob.id}`
  t.match(await slack.chat.postMessage({ channel: group, text: 'Both' }), { channel: group })
})

t.test('who may not, is refused in the words of Slack', async t => {
  const { ts } = await slack.chat.postMessage({ channel, text: 'mine' })
  const stranger = slackClient(server, bob)
  const { id: closed } = await ann.ok('POST', '/channels/create', {
    name: 'closed',
    subscribers: [ann.id],
    invite_only: true,
  })
  t.equal(await errorOf(stranger.chat.update({ channel, ts: ts as string, text: 'x' })), 'cant_update_message')
  t.equal(await errorOf(stranger.chat.delete({ channel, ts: ts as string })), 'cant_delete_message')
  t.equal(await errorOf(stranger.chat.postMessage({ channel: `C${closed}`, text: 'x' })), 'restricted_action')
  t.equal(await errorOf(stranger.chat.postMessage({ channel: 'C99999', text: 'x' })), 'channel_not_found')
  t.equal(await errorOf(stranger.chat.postMessage({ channel: '#nowhere', text: 'x' })), 'channel_not_found')
  t.equal(await errorOf(slack.chat.delete({ channel: `C${closed}`, ts: ts as string })), 'message_not_found')
})

t.test('wrong arguments are refused before anything happens', async t => {
  const before = (await newest()).id
  for (const [args, error] of [
    [{}, 'invalid_arguments'],
    [{ text: 'x' }, 'invalid_arguments'],
    [{ channel, text: 3 }, 'invalid_arguments'],
    [{ channel: ['x'], text: 'x' }, 'invalid_arguments'],
    [{ channel }, 'no_text'],
    [{ channel, text: ' \n' }, 'no_text'],
    [{ channel, blocks: '{' }, 'invalid_blocks'],
    [{ channel, blocks: {} }, 'invalid_blocks'],
    [{ channel, blocks: [3] }, 'invalid_blocks'],
    [{ channel, blocks: [{ type: 'spell' }] }, 'invalid_blocks'],
    [{ channel, blocks: Array(51).fill({ type: 'divider' }) }, 'invalid_blocks'],
    [{ channel, blocks: '['.repeat(5000) }, 'invalid_blocks'],
    [{ channel, attachments: 'x' }, 'invalid_attachments'],
    [{ channel, attachments: Array(101).fill({}) }, 'invalid_attachments'],
    [{ channel, text: 'x', thread_ts: 'yesterday' }, 'thread_not_found'],
    [{ channel, text: 'x', thread_ts: '9'.repeat(300) }, 'thread_not_found'],
  ] as const) {
    const { status, body } = await callSlack(server, 'chat.postMessage', { args, token: bot.api_key })
    t.match({ status, body }, { status: 200, body: { ok: false, error } }, JSON.stringify(args).slice(0, 80))
  }
  t.equal((await newest()).id, before)
})

t.test('what is no request of Slack is refused in its form', async t => {
  const token = bot.api_key
  const hook = await server.person({ bot_type: 2, bot_owner_id: ann.id })
  const gone = await server.person({ is_active: false })
  for (const [call, error, status = 200] of [
    [{ method: 'auth.nothing', token }, 'unknown_method'],
    [{ method: 'constructor', token }, 'unknown_method'],
    [{ method: 'auth.test' }, 'not_authed'],
    [{ method: 'auth.nothing' }, 'not_authed'],
    [{ method: 'auth.test', token: `xoxb-${'x'.repeat(32)}` }, 'invalid_auth'],
    [{ method: 'auth.test', token: gone.api_key }, 'account_inactive'],
    [{ method: 'auth.test', token: hook.api_key }, 'not_allowed_token_type'],
    [{ method: 'auth.test', token: `xapp-${token}` }, 'not_allowed_token_type'],
    [{ method: 'auth.test', token, body: '{' }, 'invalid_json'],
    [{ method: 'auth.test', token, body: '['.repeat(5000) }, 'invalid_arguments'],
    [{ method: 'auth.test', token, body: 'x', type: 'text/plain' }, 'invalid_post_type'],
    [{ method: 'auth.test', token, body: 'a=%zz', type: 'application/x-www-form-urlencoded' }, 'invalid_arguments'],
    [{ method: 'auth.test', token, body: `{"a":"${'x'.repeat(10_000_000)}"}` }, 'request_too_large', 413],
  ] as const) {
    const { method, ...rest } = call
    const answer = await callSlack(server, method, rest)
    t.match(answer, { status, body: { ok: false, error } }, JSON.stringify(call).slice(0, 80))
  }
  const inForm = await callSlack(server, 'auth.test', {
    body: `token=xoxb-${token}`,
    type: 'application/x-www-form-urlencoded',
  })
  t.match(inForm.body, { ok: true, user_id: `U${bot.id}` })
})

t.test('a program that asks too often learns when to come again', async t => {
  const slow = await startServer(t, { RATE_LIMIT_USER: '3' })
  const busy = await slow.person()
  // A new window may begin in the middle.
  let last = await callSlack(slow, 'auth.test', { token: busy.api_key })
  for (let i = 0; i < 20 && last.status === 200; i++) last = await callSlack(slow, 'auth.test', { token: busy.api_key })
  t.match(last, { status: 429, body: { ok: false, error: 'ratelimited' } })
  t.match(last.headers.get('retry-after'), /^\d+$/)
})
