import t from 'tap'
import { WebSocket } from 'ws'
import { callSlack } from '../../http/slack/slack.js'
import { until } from '../../http/until.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

const settings = { SOCKET_AUTH_SECONDS: '60' }
const server = await startServer(t, settings)
const other = await startServer(t, settings, server.organization)
const ann = await server.person({ full_name: 'Ann Lee' })
let made = 0

/** A bot in a channel of its own. */
async function newBot() {
  const name = `channel ${++made}`
  const bot = await server.person({ full_name: `Robo ${made}`, bot_type: 1, bot_owner_id: ann.id })
  for (const who of [ann, bot]) await who.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
  const say = async (content: string, topic = '') =>
    (await ann.ok('POST', '/messages', { type: 'channel', to: name, topic, content })).id as number
  return { bot, say }
}

async function addressFor({ api_key }: Person, at: { readonly url: string } = server): Promise<string> {
  const { body } = await callSlack(at, 'apps.connections.open', { token: `xapp-${api_key}` })
  t.equal(body.ok, true)
  return body.url
}

interface Frame {
  readonly type: string
  readonly reason?: string
  readonly envelope_id: string
  readonly payload: { readonly event_id: string; readonly event: Record<string, unknown> & { readonly text?: string } }
}

/** A program that acknowledges only when it is asked to. */
class Program {
  readonly frames: Frame[] = []
  private readonly acknowledged = new Set<string>()
  closed: number | undefined
  private readonly socket: WebSocket

  constructor(url: string) {
    this.socket = new WebSocket(url)
    this.socket.on('message', data => this.frames.push(JSON.parse(String(data))))
    this.socket.on('close', code => {
      this.closed = code
    })
    this.socket.on('error', () => {
      this.closed ??= -1
    })
    t.teardown(() => this.socket.terminate())
  }

  static async connect(bot: Person, at: { readonly url: string } = server): Promise<Program> {
    const program = new Program(await addressFor(bot, at))
    await until(() => program.frames.length > 0)
    t.match(program.frames[0], { type: 'hello', connection_info: { app_id: `A${bot.id}` } })
    return program
  }

  get envelopes(): Frame[] {
    return this.frames.filter(({ type }) => type === 'events_api')
  }

  get texts(): (string | undefined)[] {
    return this.envelopes.map(({ payload }) => payload.event.text)
  }

  acknowledge(...envelopes: Frame[]): void {
    for (const { envelope_id } of envelopes) {
      // A second acknowledgement counts as a request.
      if (this.acknowledged.has(envelope_id)) continue
      this.acknowledged.add(envelope_id)
      this.send(JSON.stringify({ envelope_id }))
    }
  }

  send(text: string | Buffer): void {
    this.socket.send(text)
  }

  async leave(): Promise<void> {
    this.socket.close()
    await until(() => this.closed !== undefined)
  }
}

t.test('events have the form of Slack', async t => {
  const { bot, say } = await newBot()
  const program = await Program.connect(bot)
  const id = await say(`Hi @**${bot.full_name}**`, 'lunch')
  await until(() => program.envelopes.length === 2)
  const { message } = await ann.ok('GET', `/messages/${id}`)
  const ts = `${message.timestamp}.${String(id % 1_000_000).padStart(6, '0')}`
  const said = { user: `U${ann.id}`, text: `Hi <@U${bot.id}>`, ts, thread_ts: ts, channel: `C${message.stream_id}` }
  const [plain, mention] = program.envelopes as [Frame, Frame]
  t.match(plain, {
    type: 'events_api',
    accepts_response_payload: false,
    payload: {
      type: 'event_callback',
      team_id: 'T1',
      api_app_id: `A${bot.id}`,
      authorizations: [{ user_id: `U${bot.id}`, is_bot: true }],
      event: { type: 'message', channel_type: 'channel', ...said },
    },
  })
  t.match(mention.payload.event, { type: 'app_mention', ...said })
  t.not(mention.payload.event_id, plain.payload.event_id)
  program.acknowledge(plain, mention)
  await ann.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'thumbs_up' })
  await until(() => program.envelopes.length === 3)
  t.match(program.envelopes[2]?.payload.event, {
    type: 'reaction_added',
    user: `U${ann.id}`,
    reaction: '+1',
    item: { type: 'message', channel: said.channel, ts },
    item_user: `U${ann.id}`,
  })
  program.acknowledge(...program.envelopes.slice(2))
  await ann.ok('PATCH', `/messages/${id}`, { content: 'Bye' })
  await until(() => program.envelopes.length === 4)
  t.match(program.envelopes[3]?.payload.event, {
    type: 'message',
    subtype: 'message_changed',
    channel: said.channel,
    message: { ts, text: 'Bye', edited: { user: `U${ann.id}` } },
    previous_message: { ts, text: `Hi <@U${bot.id}>` },
  })
  program.acknowledge(...program.envelopes.slice(3))
  await ann.ok('POST', '/messages', { type: 'direct', to: [bot.id], content: 'psst' })
  await until(() => program.envelopes.length === 5)
  t.match(program.envelopes[4]?.payload.event, { channel: `D${ann.id}`, channel_type: 'im', text: 'psst' })
  program.acknowledge(...program.envelopes.slice(4))
  const closed = { name: `closed ${bot.id}`, subscribers: [ann.id, bot.id], invite_only: true }
  const { id: closedId } = await ann.ok('POST', '/channels/create', closed)
  await ann.ok('POST', '/messages', { type: 'channel', to: closedId, topic: '', content: 'behind a door' })
  await until(() => {
    program.acknowledge(...program.envelopes)
    return program.texts.includes('behind a door')
  })
  t.match(program.envelopes.find(({ payload }) => payload.event.text === 'behind a door')?.payload.event, {
    channel: `C${closedId}`,
    channel_type: 'group',
  })
  await program.leave()
})

t.test('what is not acknowledged comes again, at another worker, too, and nothing else', async t => {
  const { bot, say } = await newBot()
  const first = await Program.connect(bot)
  await say('a')
  await until(() => first.texts.length === 1)
  await say('b')
  await say('c')
  first.acknowledge(...first.envelopes)
  await until(() => first.texts.includes('b'))
  const again = first.envelopes.slice(1)
  await first.leave()
  await say('d')
  const second = await Program.connect(bot, other)
  await until(() => second.texts.length > 0)
  t.equal(second.texts[0], 'b')
  t.equal(second.envelopes[0]?.payload.event_id, again[0]?.payload.event_id, 'it has the same id')
  for (const text of ['b', 'c', 'd']) {
    await until(() => second.texts.includes(text))
    second.acknowledge(...second.envelopes)
  }
  await say('e')
  await until(() => second.texts.includes('e'))
  second.acknowledge(...second.envelopes.slice(3))
  await say('f')
  await until(() => second.texts.includes('f'))
  t.same(second.texts, ['b', 'c', 'd', 'e', 'f'])
  await second.leave()
  const third = await Program.connect(bot)
  await until(() => third.texts.length > 0)
  t.same(third.texts, ['f'])
  await third.leave()
})

t.test('a second connection takes over', async t => {
  const { bot, say } = await newBot()
  const first = await Program.connect(bot)
  const second = await Program.connect(bot)
  await until(() => first.closed !== undefined)
  t.match(first.frames.at(-1), { type: 'disconnect', reason: 'refresh_requested' })
  await say('here')
  await until(() => second.texts.includes('here'))
  t.notOk(first.texts.includes('here'))
  await second.leave()
})

t.test('a server that stops sends its programs elsewhere', async t => {
  const stopping = await startServer(t, settings, server.organization)
  const { bot, say } = await newBot()
  const first = await Program.connect(bot, stopping)
  await say('kept')
  await until(() => first.texts.includes('kept'))
  await stopping.stop()
  await until(() => first.closed !== undefined)
  t.match(first.frames.at(-1), { type: 'disconnect', reason: 'refresh_requested' })
  t.equal(first.closed, 1012)
  const second = await Program.connect(bot)
  await until(() => second.texts.includes('kept'))
  await second.leave()
})

t.test('addresses that are not valid open nothing', async t => {
  const { bot } = await newBot()
  const url = await addressFor(bot)
  const forged = url.replace(/.$/, last => (last === '0' ? '1' : '0'))
  const { user_id } = await ann.ok('POST', '/bots', { full_name: 'Keyed', short_name: 'keyed', bot_type: 1 })
  const keyed = await server.sql<{ api_key: string }[]>`select api_key from users where id = ${user_id}`
  const former = await callSlack(server, 'apps.connections.open', { token: `xapp-${keyed[0]?.api_key}` })
  await ann.ok('POST', `/bots/${user_id}/api_key/regenerate`)
  for (const address of [forged, url.split('?')[0] as string, `${url.split('?')[0]}?ticket=`, former.body.url]) {
    const program = new Program(address)
    await until(() => program.closed !== undefined)
    t.match(program.frames, [{ type: 'disconnect', reason: 'link_disabled' }])
    t.equal(program.closed, 4001)
  }
  const fetched = await fetch(url.replace('ws://', 'http://'))
  t.equal(fetched.status, 426)
})

t.test('a key that is revoked ends the socket', async t => {
  const { user_id } = await ann.ok('POST', '/bots', { full_name: 'Short', short_name: 'short', bot_type: 1 })
  const [row] = await server.sql<{ api_key: string }[]>`select api_key from users where id = ${user_id}`
  const { body } = await callSlack(server, 'apps.connections.open', { token: `xapp-${row?.api_key}` })
  const program = new Program(body.url)
  await until(() => program.frames.length > 0)
  await ann.ok('POST', `/bots/${user_id}/api_key/regenerate`)
  await until(() => program.closed !== undefined)
  t.equal(program.closed, 4001)
})

t.test('only the token of an app opens a socket', async t => {
  const { bot } = await newBot()
  const wrong = await callSlack(server, 'apps.connections.open', { token: `xoxb-${bot.api_key}` })
  t.match(wrong.body, { ok: false, error: 'not_allowed_token_type' })
})

t.test('what is no acknowledgement changes nothing, and has a limit', async t => {
  const limited = await startServer(t, { RATE_LIMIT_USER: '40' }, server.organization)
  const { bot, say } = await newBot()
  const program = await Program.connect(bot, limited)
  await say('kept')
  await until(() => program.texts.length === 1)
  for (const text of ['{', '[]', 'null', '3', '{"envelope_id":7}', '{"envelope_id":"none"}']) program.send(text)
  program.send(Buffer.from([1, 2]))
  program.send(JSON.stringify({ envelope_id: 'x'.repeat(10_000) }))
  await say('later')
  await until(async () => {
    if (program.closed === undefined) program.send('{}')
    return program.closed !== undefined
  })
  t.equal(program.closed, 4003)
  t.same(program.texts, ['kept'])
})
