import t from 'tap'
import { basic } from '../support/http.js'
import type { Person } from '../support/people.js'
import { startServer } from '../support/server.js'

const server = await startServer(t)
const ann = await server.person({ full_name: 'Ann Lee' })
const bob = await server.person({ full_name: 'Bob Kahn' })
await ann.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'kitchen' }] })

interface Sent {
  readonly who?: Person | null
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
}

async function post(body: unknown, { who = ann, method = 'POST', headers = {} }: Sent = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(`${server.url}/mcp`, {
    method,
    headers: { 'content-type': 'application/json', ...(who && { authorization: `Bearer ${who.api_key}` }), ...headers },
    ...(method !== 'GET' && { body: text }),
  })
  const answer = await response.text()
  return { status: response.status, headers: response.headers, body: answer === '' ? undefined : JSON.parse(answer) }
}

const ask = (method: string, params?: object, sent?: Sent) => post({ jsonrpc: '2.0', id: 7, method, params }, sent)
async function call(name: string, args: object = {}, sent?: Sent) {
  const { status, body } = await ask('tools/call', { name, arguments: args }, sent)
  t.equal(status, 200)
  return { isError: body.result.isError, value: JSON.parse(body.result.content[0].text) }
}

t.test('a client begins, and gets the tools with schemas', async t => {
  const begun = await ask('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  })
  t.match(begun, {
    status: 200,
    body: { jsonrpc: '2.0', id: 7, result: { protocolVersion: '2025-06-18', capabilities: { tools: {} } } },
  })
  t.match((await ask('initialize', { protocolVersion: '1999-01-01' })).body.result, { protocolVersion: '2025-11-25' })
  t.same(
    await post({ jsonrpc: '2.0', method: 'notifications/initialized' }).then(({ status, body }) => [status, body]),
    [202, undefined],
  )
  t.same((await ask('ping')).body, { jsonrpc: '2.0', id: 7, result: {} })
  const { tools } = (await ask('tools/list')).body.result
  const names = tools.map(({ name }: { name: string }) => name)
  t.same([...names].sort(), [
    'add_reaction',
    'append_to_message',
    'end_streamed_message',
    'get_message',
    'get_messages',
    'get_own_user',
    'get_search_summary',
    'get_streams',
    'get_subscriptions',
    'get_topics',
    'get_user_groups',
    'get_users',
    'remove_reaction',
    'send_message',
    'update_message',
  ])
  for (const { inputSchema, description, annotations } of tools) {
    t.equal(inputSchema.type, 'object')
    t.notMatch(JSON.stringify(inputSchema), /\$ref/, 'a schema stands alone')
    t.ok(description.length > 10)
    t.type(annotations.readOnlyHint, 'boolean')
  }
  const send = tools.find(({ name }: { name: string }) => name === 'send_message')
  t.same(send.inputSchema.required.filter((name: string) => ['type', 'to', 'content'].includes(name)).sort(), [
    'content',
    'to',
    'type',
  ])
})

t.test('tools act and read with the rights of the account', async t => {
  const sent = await call('send_message', { type: 'channel', to: 'kitchen', topic: 'lunch', content: 'Soup **today**' })
  t.match(sent, { isError: false, value: { result: 'success' } })
  const { id } = sent.value
  const found = await call('get_messages', {
    anchor: 'newest',
    num_before: 5,
    num_after: 0,
    narrow: [
      ['channel', 'kitchen'],
      ['search', 'soup'],
    ],
  })
  t.match(found.value.messages, [{ id, sender_full_name: 'Ann Lee', client: 'node' }])
  t.match(await call('add_reaction', { message_id: id, emoji_name: 'tada' }), { isError: false })
  t.match(await call('update_message', { message_id: id, content: 'Stew' }), { isError: false })
  t.match((await call('get_message', { message_id: String(id) })).value.message, {
    content: '<p>Stew</p>',
    reactions: [{ emoji_name: 'tada' }],
  })
  const stranger = await call('update_message', { message_id: id, content: 'Salad' }, { who: bob })
  t.match(stranger, { isError: true, value: { result: 'error', code: 'BAD_REQUEST' } })
  t.match(await call('get_message', { message_id: 1 }, { who: bob }), { isError: true })
})

t.test('an answer grows, piece by piece', async t => {
  const begin = { type: 'channel', to: 'kitchen', topic: 'lunch', content: 'Rice ', streamed: true }
  const { id } = (await call('send_message', begin)).value
  t.match(await call('append_to_message', { message_id: id, position: 5, text: 'and beans' }), {
    isError: false,
    value: { length: 14 },
  })
  t.match(await call('end_streamed_message', { message_id: id }), { isError: false })
  t.equal((await call('get_message', { message_id: id })).value.raw_content, 'Rice and beans')
  t.match(await call('append_to_message', { message_id: id, position: 14, text: '!' }), {
    isError: true,
    value: { code: 'MESSAGE_NOT_GROWING', reason: 'finished' },
  })
})

t.test('wrong arguments are results that the assistant reads', async t => {
  t.match(await call('send_message', { type: 'channel' }), {
    isError: true,
    value: { code: 'REQUEST_VARIABLE_MISSING' },
  })
  t.match(await call('get_messages', { anchor: 'x', narrow: 3 }), { isError: true, value: { result: 'error' } })
  t.match(await call('get_message', { message_id: '../users/me' }), { isError: true, value: { result: 'error' } })
})

t.test('what is not of the protocol is refused in its form', async t => {
  for (const [body, code] of [
    ['', -32700],
    ['{', -32700],
    ['['.repeat(5000), -32700],
    ['[]', -32600],
    ['{}', -32600],
    [[{ jsonrpc: '2.0', id: 1, method: 'ping' }], -32600],
    [{ jsonrpc: '1.0', id: 1, method: 'ping' }, -32600],
    [{ jsonrpc: '2.0', id: {}, method: 'ping' }, -32600],
    [{ jsonrpc: '2.0', id: 1, method: 3 }, -32600],
    [{ jsonrpc: '2.0', id: 1, method: 'ping', params: [] }, -32600],
    [{ jsonrpc: '2.0', id: 1, method: 'resources/list' }, -32601],
    [{ jsonrpc: '2.0', id: 1, method: 'tools/call' }, -32602],
    [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'delete_user' } }, -32602],
    [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'constructor' } }, -32602],
    [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_message' } }, -32602],
    [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_message', arguments: [] } }, -32602],
  ] as const) {
    const { status, body: answer } = await post(body)
    t.match({ status, code: answer.error?.code }, { status: 200, code }, JSON.stringify(body).slice(0, 80))
  }
})

t.test('only an account gets in, and no page of another origin', async t => {
  const hook = await server.person({ bot_type: 2, bot_owner_id: ann.id })
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const nobody = await post(ping, { who: null })
  t.match(nobody, { status: 401, body: { code: 'UNAUTHORIZED' } })
  t.equal(nobody.headers.get('www-authenticate'), 'Bearer')
  const wrong = { headers: { authorization: `Bearer ${'x'.repeat(32)}` } }
  t.match(await post(ping, wrong), { status: 401, body: { code: 'INVALID_API_KEY' } })
  t.match(await post(ping, { who: hook }), { status: 401, body: { code: 'UNAUTHORIZED' } })
  t.match(await post(ping, { headers: { origin: 'https://evil.example' } }), {
    status: 400,
    body: { code: 'BAD_REQUEST' },
  })
  t.match(await post(ping, { headers: { 'mcp-protocol-version': '1.0' } }), { status: 400 })
  t.match(await post(ping, { headers: { origin: server.url, 'mcp-protocol-version': '2025-06-18' } }), { status: 200 })
  t.match(await post(ping, { headers: { authorization: basic(ann) } }), { status: 200, body: { result: {} } })
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const refused = await post(ping, { method })
    t.match(refused, { status: 405, body: { code: 'METHOD_NOT_ALLOWED' } }, method)
    t.equal(refused.headers.get('allow'), 'POST')
  }
})
