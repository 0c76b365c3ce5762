// The answers and events of a server with all kinds of messages, as the newest mobile client reads them: it fails on a field that is missing
// or of another type, and shows as an error what it does not know in the HTML of a message.
import { readFileSync } from 'node:fs'
import t from 'tap'
import { Listener, type Loose } from '../support/in-step.js'
import { startServer } from '../support/server.js'
import { unreadable } from '../support/strict-html.js'
import { checkObject, checkRegister } from '../support/wire-schemas.js'

interface Field {
  readonly clients_need?: readonly string[]
  readonly 'x-clients-need-keys'?: Readonly<Record<string, readonly string[]>>
}

const facts = JSON.parse(readFileSync('test/support/wire/register.json', 'utf8')) as {
  readonly always: Readonly<Record<string, Field>>
  readonly by_fetch_event_type: Readonly<Record<string, Readonly<Record<string, Field>>>>
  readonly 'x-mobile-registers': Loose
}
const { client_capabilities, ...asked } = facts['x-mobile-registers']
const params = {
  ...asked,
  client_capabilities: Object.fromEntries((client_capabilities as string[]).map(name => [name, true])),
}
const needed = Object.entries(Object.assign({}, facts.always, ...Object.values(facts.by_fetch_event_type)))
  .map(([name, field]) => [name, field as Field] as const)
  .filter(([, field]) => field.clients_need?.includes('mobile'))

const server = await startServer(t, { PUBLIC_URL: 'https://chat.example' })
const ann = await server.person({ full_name: 'Ann Lee', role: 100 })
const bob = await server.person({ full_name: 'Bob Ray' })
await ann.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'plans' }], principals: [ann.id, bob.id] })
const { stream_id } = await ann.ok('GET', '/get_stream_id', { stream: 'plans' })
await ann.ok('POST', '/user_groups/create', { name: 'crew', description: '', members: [ann.id, bob.id] })

const contents = [
  'Plain, **strong**, *soft*, ~~gone~~, `code`, a\nbreak',
  '/me waves',
  '# Head\n## Second\ntext',
  '* a\n  * b\n    1. c\n    2. d\n* e\n\n7. seven\n8. eight',
  '> said\n> again\n\n```quote\nin a fence\n> deeper\n```',
  '```js\nconst a = `x` // note\n```\n\n```\nplain\n```\n\n    indented',
  '```python\n@wrap\ndef f(x: int) -> str:\n    """doc"""\n    return f"{x:>3}"\n```\n\n```never closed',
  '$$x^2$$ and $5 or $6\n\n```math\n\\int_0^1 f\n\n\\frac{a}{b}\n```',
  '| a | b |\n|:-|-:|\n| 1 | `x|y` |\n| 2 |',
  '| only | titles |\n|---|---|',
  '```spoiler The *end*\nThey marry.\n\n* list\n```\n\n```spoiler\nno header\n```',
  '@**Bob Ray** @_**Bob Ray** @**all** @**topic** @*crew* @_*crew* @**No One**',
  '#**plans** #**plans>launch** #**plans>launch@1** #**none**',
  ':smile: :heart: ❤️ 👍🏽 1️⃣ :no_such: :) 👩‍👩‍👧',
  '<time:2026-04-02T12:30:00+02:00> <time:1775125800> <time:soonish>',
  'https://a.example/x_y_z?q=1#f b.example me@c.example [t](https://d.example "title") [](https://e.example) [t]()',
  '<b>no</b> &copy; &amp; <!-- c --> \\* \u202e bidi',
  '---\n\ntext\n===\n***',
]
const topic = 'launch'

t.test('the answer to a client’s first question', async t => {
  const settings = await server.api(null).ok('GET', '/server_settings')
  t.ok(settings.service_feature_level >= 371)
  for (const name of ['service_version', 'service_merge_base', 'realm_url', 'realm_name', 'realm_icon'])
    t.type(settings[name], 'string', name)
  for (const name of [
    'push_notifications_enabled',
    'is_incompatible',
    'email_auth_enabled',
    'require_email_format_usernames',
  ])
    t.type(settings[name], 'boolean', name)
  t.ok(Array.isArray(settings.external_authentication_methods))
  t.equal(new URL(settings.realm_url).origin, 'https://chat.example')
})

t.test('the register answer has what the client needs', async t => {
  const state = await ann.ok('POST', '/register', params)
  t.same(checkRegister(state, null), [])
  t.ok(needed.length > 25)
  for (const [name, field] of needed) {
    t.ok(state[name] !== undefined && state[name] !== null, name)
    for (const key of field['x-clients-need-keys']?.mobile ?? [])
      if (/^[a-z_]+$/.test(key)) t.ok(state[name][key] !== undefined, `${name}.${key}`)
  }
  t.match(state.server_emoji_data_url, /^https:\/\/chat\.example\//, 'the client requests it as it is')
  for (const user of [...state.realm_users, ...state.cross_realm_bots]) {
    t.match(
      user.avatar_url,
      /^(?:https:\/\/secure\.gravatar\.com\/|https:\/\/chat\.example\/.+\.png\?)/,
      user.full_name,
    )
    t.ok(Number.isInteger(user.avatar_version))
  }
})

t.test('each message is readable, in its event, in the history, alone, edited and found', async t => {
  const ear = await Listener.start(server.ctx, bob, params)
  const ids: number[] = []
  for (const content of contents) {
    const sent = await ann.ok('POST', '/messages', { type: 'channel', to: stream_id, topic, content })
    ids.push(sent.id)
    await ann.ok('POST', '/messages', { type: 'direct', to: [bob.id], content })
  }
  for (const id of ids.slice(0, 3)) {
    await ann.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
    await ann.ok('PATCH', `/messages/${id}`, { content: contents.join('\n\n').slice(0, 9000) })
  }
  await ann.ok('PATCH', `/messages/${ids[4]}`, { topic: 'landing' })
  await ann.ok('DELETE', `/messages/${ids[5]}`)
  await bob.ok('POST', '/messages/flags', { op: 'add', flag: 'starred', messages: ids.slice(0, 2) })
  await ann.ok('POST', '/typing', { op: 'start', to: [bob.id] })

  const events = await ear.inStep(t)
  const types = new Set(events.map(event => event.type))
  for (const type of ['message', 'update_message', 'reaction', 'delete_message', 'update_message_flags', 'typing'])
    t.ok(types.has(type), type)
  for (const event of events) {
    for (const html of [event.message?.content, event.rendered_content, event.orig_rendered_content])
      if (html !== undefined) readable(t, html)
  }
  const narrow = [{ operator: 'channel', operand: stream_id }]
  const page = { anchor: 'newest', num_before: 100, num_after: 0, client_gravatar: false, allow_empty_topic_name: true }
  const { messages } = await bob.ok('GET', '/messages', { ...page, narrow })
  const direct = await bob.ok('GET', '/messages', { ...page, narrow: [{ operator: 'is', operand: 'dm' }] })
  t.equal(direct.messages.length, contents.length)
  for (const message of [...messages, ...direct.messages]) {
    const { flags, ...object } = message
    t.same(checkObject('message', message), [], object.content)
    t.ok(Array.isArray(flags))
    readable(t, message.content)
  }
  const { message } = await bob.ok('GET', `/messages/${ids[0]}`, { allow_empty_topic_name: true })
  readable(t, message.content)
  const { rendered } = await bob.ok('POST', '/messages/render', { content: contents.join('\n\n').slice(0, 9000) })
  readable(t, rendered)
})

const readable = (t: { same(found: unknown, wanted: unknown, message: string): unknown }, html: string) =>
  t.same(unreadable(html), [], html.slice(0, 200))
