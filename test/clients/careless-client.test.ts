// One chat by clients with habits of existing ones: the text null for what they leave unset, repeated parameters of which the last one
// counts, and parameters of any method in the query. Each has to get what a careful client gets.
import t from 'tap'
import { areas } from '../../server/api/index.js'
import { openApiDocument } from '../../server/openapi/document.js'
import { basic, formEncode, type Params } from '../support/http.js'
import type { Loose } from '../support/in-step.js'
import type { Person } from '../support/people.js'
import { startServer } from '../support/server.js'

type Habit = 'careful' | 'null texts' | 'repeated parameters' | 'everything in the query' | 'all of that'
const habits: readonly Habit[] = ['null texts', 'repeated parameters', 'everything in the query', 'all of that']

const server = await startServer(t)
const document = openApiDocument(areas, { brand: 'service', url: '/api/v1' }) as Loose

// What existing clients send as null where they mean all, or none.
const sentAsNull = new Set(['event_types', 'fetch_event_types', 'narrow', 'client_capabilities'])

/** The optional parameters of an operation that are JSON and not null, as its document says, and those that clients send as null. */
function unset(method: string, pattern: string): string[] {
  const { parameters = [], requestBody } = document.paths[pattern][method.toLowerCase()]
  const form = resolved(requestBody?.content['application/x-www-form-urlencoded']?.schema ?? {})
  const fields = [
    ...parameters.map((one: Loose) => [one.name, one.required, one.schema ?? one.content['application/json'].schema]),
    ...Object.entries<Loose>(form.properties ?? {}).map(([name, schema]) => [
      name,
      form.required?.includes(name),
      schema,
    ]),
  ]
  return fields.flatMap(([name, isRequired, schema]) =>
    isRequired || (takesText(schema) && !sentAsNull.has(name)) ? [] : [name],
  )
}

const resolved = (schema: Loose): Loose =>
  schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : schema

/** Whether the text `null` would be a value. */
function takesText(schema: Loose): boolean {
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  if (parts.length > 0) return parts.some(takesText)
  if (schema.$ref) return takesText(resolved(schema))
  return [schema.type].flat().some(type => type === undefined || type === 'string' || type === 'null')
}

class Client {
  /** Of each request: the operation, the status, the code, and the fields of the answer. */
  readonly transcript: string[] = []

  constructor(
    private readonly person: Person,
    private readonly habit: Habit,
  ) {}

  async ask(operation: string, params: Params = {}): Promise<Loose> {
    const rest = { ...params }
    const [method = '', pattern = ''] = operation.split(' ')
    const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(rest[name])
      delete rest[name]
      return encodeURIComponent(value)
    })
    const sent = this.encoded(method, pattern, rest)
    const inQuery = method === 'GET' || this.habit === 'everything in the query' || this.habit === 'all of that'
    const answer = await fetch(`${server.url}/api/v1${path}${inQuery ? `?${sent}` : ''}`, {
      method,
      headers: { Authorization: basic(this.person), 'User-Agent': 'CarelessClient/1.0' },
      ...(inQuery ? {} : { body: sent }),
    })
    const body = (await answer.json()) as Loose
    this.transcript.push(`${operation}: ${answer.status} ${body.code ?? ''} ${Object.keys(body).sort()}`)
    return body
  }

  private encoded(method: string, pattern: string, params: Params): URLSearchParams {
    const form = new URLSearchParams()
    const isRepeated = this.habit === 'repeated parameters' || this.habit === 'all of that'
    for (const [name, value] of formEncode(params)) {
      if (isRepeated) for (const first of ['nonsense', '[', '']) form.append(name, first)
      form.append(name, value)
    }
    if (this.habit !== 'null texts' && this.habit !== 'all of that') return form
    for (const name of unset(method, pattern)) if (!(name in params)) form.append(name, 'null')
    return form
  }
}

/** What the chat was, without ids and names. */
async function chat(habit: Habit): Promise<Loose> {
  const [author, reader] = [await server.person({ role: 200 }), await server.person()]
  const [one, two] = [new Client(author, habit), new Client(reader, habit)]
  const name = `chat of ${author.id}`
  const { queue_id } = await two.ask('POST /register', {
    event_types: ['message', 'reaction', 'update_message', 'user_topic'],
  })
  await one.ask('POST /register')
  const principals = [author.id, reader.id]
  await one.ask('POST /users/me/subscriptions', { subscriptions: [{ name }], principals, invite_only: true })
  const { stream_id } = await one.ask('GET /get_stream_id', { stream: name })
  const say = async (content: string, topic = 'talk') =>
    (await one.ask('POST /messages', { type: 'channel', to: stream_id, topic, content })).id
  const [first, second] = [await say('null'), await say('[1, "two"]', '5')]
  await two.ask('POST /messages', { type: 'direct', to: [author.id], content: 'a & b = c %26 +' })
  await two.ask('POST /messages', { type: 'direct', to: [], content: 'to no user' })
  await two.ask('POST /messages', { type: 'channel', to: stream_id, topic: 'talk', content: ' ' })
  await two.ask('POST /messages/{message_id}/reactions', { message_id: first, emoji_name: 'tada' })
  await two.ask('DELETE /messages/{message_id}/reactions', { message_id: second, emoji_name: 'tada' })
  await one.ask('PATCH /messages/{message_id}', {
    message_id: second,
    content: 'edited',
    topic: 'true',
    send_notification_to_new_thread: false,
  })
  await two.ask('PATCH /messages/{message_id}', { message_id: second, content: 'not mine' })
  await two.ask('POST /messages/flags', { op: 'add', flag: 'starred', messages: [first] })
  await two.ask('POST /user_topics', { stream_id, topic: 'talk', visibility_policy: 3 })
  await two.ask('PATCH /settings', { twenty_four_hour_time: true, default_language: 'de' })
  await two.ask('PATCH /settings', { color_scheme: 77 })
  await two.ask('POST /users/me/status', { status_text: 'null' })
  await two.ask('POST /drafts', { drafts: [{ type: 'private', to: [author.id], topic: '', content: 'later' }] })
  await two.ask('POST /typing', { op: 'start', type: 'direct', to: [author.id] })
  await two.ask('POST /users/me/presence', { status: 'active' })
  await one.ask('POST /user_groups/create', { name: `group ${author.id}`, description: 'true', members: [author.id] })
  const narrow = [{ operator: 'channel', operand: stream_id }]
  const { messages } = await two.ask('GET /messages', { anchor: 'newest', num_before: 10, num_after: 0, narrow })
  await two.ask('GET /messages', { num_before: 10, num_after: 0 })
  await one.ask('GET /users')
  const { drafts } = await two.ask('GET /drafts')
  const { topics } = await two.ask('GET /users/me/{stream_id}/topics', { stream_id })
  const status = await two.ask('GET /users/{user_id}/status', { user_id: reader.id })
  const { user_settings, user_topics } = await two.ask('POST /register', {
    fetch_event_types: ['user_settings', 'user_topic'],
    client_capabilities: { user_settings_object: true, empty_topic_name: true },
  })
  const { events } = await two.ask('GET /events', { queue_id, last_event_id: -1, dont_block: true })
  await two.ask('DELETE /events', { queue_id })
  return {
    transcripts: [one.transcript, two.transcript],
    messages: messages.map(({ content, subject, flags, reactions }: Loose) => [
      content,
      subject,
      flags,
      reactions.length,
    ]),
    drafts: drafts.map(({ type, content }: Loose) => [type, content]),
    topics: topics.map((topic: Loose) => topic.name),
    status: status.status,
    settings: [user_settings.twenty_four_hour_time, user_settings.default_language, user_settings.color_scheme],
    policies: user_topics.map(({ topic_name, visibility_policy }: Loose) => [topic_name, visibility_policy]),
    events: events.map(({ type, op, message }: Loose) => [type, op, message?.content]),
  }
}

const careful = await chat('careful')

t.test('the careful client chats, and some of its requests are refused', t => {
  const [, reader] = careful.transcripts
  t.ok(reader.filter((line: string) => line.includes(': 200')).length > 15)
  t.ok(reader.filter((line: string) => line.includes(': 400 BAD_REQUEST')).length >= 4)
  t.equal(careful.messages.length, 2)
  t.same(careful.settings.slice(0, 2), [true, 'de'])
  t.end()
})

for (const habit of habits)
  t.test(`${habit}: the same answers and the same state`, async t => t.same(await chat(habit), careful))

t.test('what such clients leave unset are many parameters', t => {
  const ofRegister = unset('POST', '/register')
  for (const name of [...sentAsNull, 'apply_markdown', 'presence_history_limit_days'])
    t.ok(ofRegister.includes(name), name)
  t.ok(unset('POST', '/users/me/subscriptions').length > 5)
  t.ok(!unset('POST', '/messages').includes('topic'))
  t.end()
})
