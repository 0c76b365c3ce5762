// What services send comes to channels and owners of bots, or is refused by the contract.
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { projectRoot } from '../../../server/config/paths.js'
import type { Loose } from '../../support/in-step.js'
import { until } from '../../support/redis-node.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const owner = await server.person({ role: 100 })
const anna = await server.person()
const { user_id: botId, api_key } = await anna.ok('POST', '/bots', {
  full_name: 'Deployments',
  short_name: 'deployments',
  bot_type: 2,
})
await anna.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'operations' }] })
const { stream_id } = await anna.ok('GET', '/get_stream_id', { stream: 'operations' })

type Query = Readonly<Record<string, string>>

async function post(name: string, query: Query, body: string | URLSearchParams, type?: string) {
  const response = await fetch(`${server.url}/api/v1/external/${name}?${new URLSearchParams(query)}`, {
    method: 'POST',
    body,
    ...(type !== undefined && { headers: { 'content-type': type } }),
  })
  return { status: response.status, body: (await response.json()) as Loose }
}

const sent = { status: 200, body: { result: 'success', msg: '' } }
const json = (query: Query, body: unknown = { level: 'high' }) =>
  post('json', query, typeof body === 'string' ? body : JSON.stringify(body), 'application/json')
const newest = async (who = anna): Promise<Loose> =>
  (await who.ok('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false }))
    .messages[0]
const fixture = (folder: string, name: string) =>
  JSON.parse(readFileSync(join(projectRoot, 'server', 'integrations', folder, 'fixtures', `${name}.json`), 'utf8'))
const toChannel = { api_key, stream: 'operations' }

t.test('json shows what was sent, in a channel by name or id, with a topic of its own or the given one', async t => {
  t.same(await json(toChannel, { b: 1, a: ['ä', '😀'] }), sent)
  t.match(await newest(), {
    sender_id: botId,
    stream_id,
    subject: 'JSON',
    client: /JsonWebhook$/,
    content: '```json\n{\n  "b": 1,\n  "a": [\n    "\\u00e4",\n    "\\ud83d\\ude00"\n  ]\n}\n```',
  })
  t.same(await json({ api_key, stream: String(stream_id), topic: 'pumps' }), sent)
  t.match(await newest(), { stream_id, subject: 'pumps' })
  t.same(await json({ ...toChannel, topic: 'x'.repeat(100) }), sent)
  t.equal((await newest()).subject.length, 60)
  t.same(await json({ ...toChannel, topic: '' }), sent)
  t.match(await newest(), { subject: 'general chat' }, 'the empty topic, as the reader sees it')
  t.same(await post('json', toChannel, '{"type":"text"}', 'text/plain'), sent, 'whatever the Content-Type says')
})

t.test('without a channel the message goes to the owner of the bot', async t => {
  t.same(await json({ api_key, topic: 'unused' }), sent)
  t.match(await newest(), { type: 'private', sender_id: botId })
  const { status, body } = await json({ api_key: owner.who?.api_key as string })
  t.match({ status, body }, { status: 400, body: { code: 'BAD_REQUEST' } }, 'the key of a person')
  t.same(await json({ api_key: owner.who?.api_key as string, stream: 'operations' }), sent)
})

t.test('the bot writes where its owner may', async t => {
  const ben = await server.person()
  await ben.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'of ben' }], invite_only: true })
  const before = await newest(ben)
  t.match(await json({ api_key, stream: 'of ben' }), { status: 400, body: { code: 'BAD_REQUEST' } })
  t.same(await newest(ben), before)
  await anna.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'of anna' }], invite_only: true })
  t.same(await json({ api_key, stream: 'of anna' }), sent)
})

t.test('an unknown channel: its owner learns of the name, once a minute, and an id is refused', async t => {
  t.same(await json({ api_key, stream: 'nowhere' }), sent)
  t.same(await json({ api_key, stream: 'nor here' }), sent)
  const notices = async () => {
    const narrow = [
      {
        operator: 'sender',
        operand: (
          await server.sql`
      select delivery_email from users where full_name = 'Notification Bot'`
        )[0]?.delivery_email,
      },
    ]
    const params = { anchor: 'newest', num_before: 10, num_after: 0, narrow, apply_markdown: false }
    return (await anna.ok('GET', '/messages', params)).messages.filter(({ content }: Loose) =>
      /Deployments/.test(content),
    )
  }
  await until(async () => (await newest()).content.includes('nowhere'))
  t.equal((await notices()).length, 1)
  t.match(await json({ api_key, stream: '999999' }), {
    status: 400,
    body: { code: 'STREAM_DOES_NOT_EXIST', stream_id: 999999 },
  })
})

t.test('keys that are refused', async t => {
  t.match(await json({ stream: 'operations' }), {
    status: 400,
    body: { code: 'REQUEST_VARIABLE_MISSING', var_name: 'api_key' },
  })
  for (const wrong of ['', 'x', 'x'.repeat(32), 'x'.repeat(5000)])
    t.match(await json({ api_key: wrong }), { status: 401, body: { code: 'INVALID_API_KEY' } })
  const basic = await fetch(`${server.url}/api/v1/external/json?stream=operations`, {
    method: 'POST',
    body: '{}',
    headers: { authorization: `Basic ${Buffer.from(`${anna.email}:${anna.who?.api_key}`).toString('base64')}` },
  })
  t.match(await basic.json(), { code: 'REQUEST_VARIABLE_MISSING' }, 'credentials in the header do not count')
  const { user_id, api_key: old } = await anna.ok('POST', '/bots', { full_name: 'Short lived', short_name: 'short' })
  await anna.ok('DELETE', `/bots/${user_id}`)
  t.match(await json({ api_key: old }), { status: 401, body: { code: 'INVALID_API_KEY' } })
  const { api_key: its } = await anna.ok('GET', `/bots/${user_id}/api_key`)
  t.match(await json({ api_key: its }), { status: 401, body: { code: 'USER_DEACTIVATED' } })
})

t.test('bodies that are refused send nothing', async t => {
  const before = await newest()
  const bodies = ['', 'no json', '[]', 'null', '3', '"x"', '{', '['.repeat(100_000), `{"a":${'['.repeat(5000)}`]
  for (const body of bodies)
    t.match(await json(toChannel, body), { status: 400, body: { code: 'BAD_REQUEST' } }, body.slice(0, 20))
  const response = await fetch(`${server.url}/api/v1/external/json?${new URLSearchParams(toChannel)}`, {
    method: 'POST',
    body: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  })
  t.match(await response.json(), { code: 'BAD_REQUEST' }, 'not UTF-8')
  t.same(await newest(), before)
  t.match(await post('no_such_thing', toChannel, '{}'), { status: 404, body: { code: 'NOT_FOUND' } })
  const got = await fetch(`${server.url}/api/v1/external/json?${new URLSearchParams(toChannel)}`)
  t.equal(got.status, 405)
})

t.test('slack_incoming takes JSON, a form and a query, and answers as Slack does', async t => {
  const ok = { status: 200, body: { result: 'success', msg: '', ok: true } }
  const payload = JSON.stringify({ channel: '#releases', text: 'Done: *all* of <https://a.example/x|this>' })
  const slack = (body: string | URLSearchParams, type?: string, query: Query = toChannel) =>
    post('slack_incoming', query, body, type)
  const shown = { subject: 'releases', content: 'Done: **all** of [this](https://a.example/x)' }
  t.same(await slack(payload, 'application/json'), ok)
  t.match(await newest(), { ...shown, client: /SlackIncomingWebhook$/ })
  t.same(await slack(new URLSearchParams({ payload }), undefined, { ...toChannel, topic: 'mine' }), ok)
  t.match(await newest(), { ...shown, subject: 'mine' })
  t.same(await slack('', undefined, { ...toChannel, payload }), ok)
  t.same(await slack(new URLSearchParams({ payload, ...toChannel }), undefined, {}), ok, 'all of it in a form')
  const before = await newest()
  t.same(await slack('{}', 'application/json'), ok, 'nothing to say')
  for (const [body, type] of [
    ['', 'application/json'],
    ['{', 'application/json'],
    ['[]', 'application/json'],
    [payload, 'text/plain'],
    ['payload=x', 'application/x-www-form-urlencoded'],
    ['other=1', 'application/x-www-form-urlencoded'],
    [JSON.stringify({ text: 3 }), 'application/json'],
    [JSON.stringify({ blocks: [{ type: 'rich_text' }] }), 'application/json'],
  ] as const) {
    const { status, body: answer } = await slack(body, type)
    t.equal(status, 400, body)
    t.same(Object.keys(answer).sort(), ['error', 'ok'])
    t.equal(answer.ok, false)
  }
  t.same(await newest(), before)
  t.match(await slack(payload, 'application/json', { api_key: 'x' }), {
    status: 401,
    body: { code: 'INVALID_API_KEY' },
  })
})

t.test('mattermost takes JSON and a form, and answers as the others do', async t => {
  const mattermost = (body: string | URLSearchParams, type?: string) => post('mattermost', toChannel, body, type)
  const payload = JSON.stringify({ channel: '@pier', text: 'tide at **six**' })
  const shown = { subject: 'pier', content: 'tide at **six**', client: /MattermostWebhook$/ }
  t.same(await mattermost(payload, 'application/json'), sent)
  t.match(await newest(), shown)
  const before = (await newest()).id
  t.same(await mattermost(new URLSearchParams({ payload })), sent)
  t.match(await newest(), shown)
  t.not((await newest()).id, before)
  const last = await newest()
  for (const [body, type] of [
    [payload, 'text/plain'],
    ['payload=x', 'application/x-www-form-urlencoded'],
    ['{"text":{}}', 'application/json'],
    ['{"attachments":{}}', 'application/json'],
    ['[]', 'application/json'],
  ] as const)
    t.match(await mattermost(body, type), { status: 400, body: { code: 'BAD_REQUEST' } }, body)
  t.same(await newest(), last)
})

t.test('only the events that the address asks for', async t => {
  const alert = (status: string) => ({ status, startsAt: '2026-11-29T05:00:00Z', labels: { alertname: status } })
  const body = { alerts: [alert('firing'), alert('resolved')] }
  const grafana = (query: Query) => post('grafana', { ...toChannel, ...query }, JSON.stringify(body))
  const topicsOf = async (query: Query) => {
    const { id } = await newest()
    t.same(await grafana(query), sent)
    await until(async () => {
      const [row] = await server.sql`select count(*)::int as jobs from jobs where kind = 'bot-message'`
      return row?.jobs === 0
    })
    const params = { anchor: id, include_anchor: false, num_before: 0, num_after: 9 }
    return (await anna.ok('GET', '/messages', params)).messages.map(({ subject }: Loose) => subject)
  }
  t.same(await topicsOf({}), ['[firing]', '[resolved]'])
  t.match(await newest(), { client: /GrafanaWebhook$/, sender_id: botId })
  t.same(await topicsOf({ only_events: '["f*"]' }), ['[firing]'])
  t.same(await topicsOf({ exclude_events: '["[a-f]?ring"]' }), ['[resolved]'])
  t.same(await topicsOf({ only_events: '[]' }), [])
  for (const wrong of ['x', '{}', '[1]', '"firing"', `[${'"x",'.repeat(200)}"x"]`])
    for (const name of ['only_events', 'exclude_events'])
      t.match(await grafana({ [name]: wrong }), { status: 400, body: { code: 'BAD_REQUEST' } }, `${name} ${wrong}`)
})

t.test('events by header: supported ones, others, and none', async t => {
  const { body, messages } = fixture('github', 'issue-opened')
  const github = async (headers: Record<string, string>, query: Query = toChannel, text = JSON.stringify(body)) => {
    const url = `${server.url}/api/v1/external/github?${new URLSearchParams(query)}`
    const response = await fetch(url, { method: 'POST', headers, body: text })
    return { status: response.status, body: (await response.json()) as Loose }
  }
  const issues = { 'X-GitHub-Event': 'issues' }
  t.same(await github(issues), sent)
  t.match(await newest(), {
    subject: messages[0].topic,
    content: messages[0].content,
    sender_id: botId,
    client: /GithubWebhook$/,
  })
  t.same(await github(issues, { ...toChannel, only_events: '["push*"]' }), sent)
  t.same(await github({ 'X-GitHub-Event': 'label' }), sent)
  const before = await newest()
  const unsupported = { result: 'success', msg: /./, code: 'UNSUPPORTED_WEBHOOK_EVENT_TYPE', webhook_name: 'GitHub' }
  t.match(await github({ 'X-GitHub-Event': 'no_such' }), {
    status: 200,
    body: { ...unsupported, event_type: 'no_such:opened' },
  })
  t.match(await github(issues, toChannel, JSON.stringify({ ...body, action: 'constructor' })), {
    status: 200,
    body: { ...unsupported, event_type: 'issues:constructor' },
  })
  for (const wrong of ['', '[]', '{', '3', JSON.stringify({ ...body, sender: null })])
    t.match(await github(issues, toChannel, wrong), { status: 400, body: { code: 'BAD_REQUEST' } }, wrong.slice(0, 20))
  t.match(await github({}), {
    status: 400,
    body: { code: 'MISSING_HTTP_EVENT_HEADER', header: 'X-GitHub-Event' },
  })
  t.same(await newest(), before)

  await t.test('signed with the key of the bot, which is then in no address', async t => {
    const hmac = (key: string, text = JSON.stringify(body)) =>
      `sha256=${createHmac('sha256', key).update(text).digest('hex')}`
    const place = { bot: String(botId), stream: 'operations' }
    t.same(await github({ ...issues, 'X-Hub-Signature-256': hmac(api_key) }, place), sent)
    const { user_id, api_key: other } = await anna.ok('POST', '/bots', { full_name: 'Other', short_name: 'other' })
    const wrong: [string | undefined, string][] = [
      [undefined, place.bot],
      ['', place.bot],
      ['sha256=', place.bot],
      [hmac('x'), place.bot],
      [hmac(''), place.bot],
      [hmac(api_key, '{}'), place.bot],
      [hmac(api_key).toUpperCase(), place.bot],
      [hmac(other), place.bot],
      [hmac(api_key), String(user_id)],
      [hmac(api_key), 'x'],
      [hmac(api_key), '999999'],
      [hmac(owner.who?.api_key as string), String(owner.id)],
    ]
    for (const [signature, bot] of wrong)
      t.match(
        await github(
          { ...issues, ...(signature !== undefined && { 'X-Hub-Signature-256': signature }) },
          { ...place, bot },
        ),
        { status: 401, body: { code: 'INVALID_API_KEY' } },
        `${signature} ${bot}`,
      )
    await anna.ok('DELETE', `/bots/${user_id}`)
    const { api_key: its } = await anna.ok('GET', `/bots/${user_id}/api_key`)
    t.match(await github({ ...issues, 'X-Hub-Signature-256': hmac(its) }, { ...place, bot: String(user_id) }), {
      status: 401,
      body: { code: 'USER_DEACTIVATED' },
    })
    t.match(
      await post('json', place, '{}'),
      { status: 400, body: { code: 'REQUEST_VARIABLE_MISSING' } },
      'json signs nothing',
    )
    const push = JSON.stringify(fixture('gitlab', 'example').body)
    const gitlab = async (token: string) =>
      (
        await fetch(`${server.url}/api/v1/external/gitlab?${new URLSearchParams(place)}`, {
          method: 'POST',
          headers: { 'X-Gitlab-Event': 'Push Hook', 'X-Gitlab-Token': token },
          body: push,
        })
      ).status
    t.equal(await gitlab(api_key), 200)
    t.equal(await gitlab(other), 401)
    t.equal(await gitlab(''), 401)
  })
})

t.test('the address of jira is encoded twice', async t => {
  const { body } = fixture('jira', 'example')
  const jira = (query: Query) => post('jira', { api_key, ...query }, JSON.stringify(body))
  t.same(await jira({ stream: 'oper%61tions', topic: 'lamps%20%26%20stairs' }), sent)
  t.match(await newest(), { stream_id, subject: 'lamps & stairs', client: /JiraWebhook$/ })
  t.same(await jira({ stream: 'operations', topic: '100%' }), sent)
  t.match(await newest(), { subject: '100%' })
  t.same(await json({ ...toChannel, topic: 'a%20b' }), sent)
  t.match(await newest(), { subject: 'a%20b' }, 'those of others are not')
})

t.test('the register answer lists the integrations', async t => {
  const { realm_incoming_webhook_bots } = await anna.ok('POST', '/register', {
    fetch_event_types: ['realm_incoming_webhook_bots'],
  })
  t.same(
    realm_incoming_webhook_bots.map(({ name }: Loose) => name),
    [
      'alertmanager',
      'ci',
      'gitea',
      'github',
      'gitlab',
      'grafana',
      'jira',
      'json',
      'mattermost',
      'pagerduty',
      'sentry',
      'slack_incoming',
      'uptime_kuma',
    ],
  )
})
