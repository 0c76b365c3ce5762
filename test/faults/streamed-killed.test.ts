// A reader whose connection is broken in the middle of an answer, and workers that are killed meanwhile: it ends with exactly the author's text.
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { emptyState } from '../../server/web/state/chat-state.js'
import { messageGrows, textFetched } from '../../server/web/state/streamed-messages.js'
import { type AnyEvent, connect, type EventOf } from '../../shared/client/index.js'
import { codePoints } from '../../shared/limits.js'
import { quick } from '../support/client-log.js'
import type { Person } from '../support/people.js'
import { anyOf } from '../support/random.js'
import { spawnServer, testOrganization } from '../support/server.js'
import { TcpProxy } from '../support/tcp-proxy.js'
import { kills } from './support/amounts.js'
import { randomOf, serverSettings } from './support/begin.js'
import { call } from './support/call.js'
import { eventually } from './support/wait.js'
import { signal, workersOf } from './support/workers.js'

const answers = 100
const piecesPerAnswer = 20
const words = ['wo', 'rd ', 'in the ', '\u{1f600}', 'mid', 'dle ']

/** Sends until the server answers: a repeated request is harmless. */
async function insist(author: Person, path: string, params: Record<string, unknown>) {
  for (;;) {
    const { status, body } = await call(author, 'POST', path, { params })
    if (status === 200 || (status === 400 && body.code === 'WRONG_POSITION')) return { status, body }
    if (status !== 0 && status < 500) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
    await sleep(20)
  }
}

/** Appends the rest of the text from where the server has it, piece by piece. */
async function write(author: Person, id: number, whole: readonly string[], interrupt: (piece: number) => void) {
  let length = codePoints(whole[0] ?? '')
  for (const [i, text] of whole.entries()) {
    if (i === 0) continue
    interrupt(i)
    const { status, body } = await insist(author, `/messages/${id}/text`, { position: length, text })
    if (status !== 200) throw new Error(`the server has another text: ${JSON.stringify(body)}`)
    length += codePoints(text)
  }
  await insist(author, `/messages/${id}/end`, {})
}

t.test('the text of the author, 100 times in a row', async t => {
  const random = randomOf(t)
  const server = await spawnServer(t, serverSettings(2), await testOrganization(t))
  const [author, reader] = [await server.person(), await server.person()]
  for (const who of [author, reader])
    await who.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'answers' }] })
  const { proxy, url } = await TcpProxy.before(t, server.url)

  const state = emptyState()
  const contents = new Map<number, string>()
  const wrong: string[] = []
  const texts = new Map<number, string>()
  let seen = 0
  const check = (id: number) => {
    const text = state.growing[id]?.text
    const whole = texts.get(id)
    if (typeof text === 'string' && whole !== undefined && !whole.startsWith(text)) wrong.push(text)
    if (typeof text === 'string') seen++
  }
  const handle = async (event: AnyEvent) => {
    if (event.type === 'update_message') {
      const { message_id, content } = event as EventOf<'update_message'>
      contents.set(message_id, content ?? '')
    }
    if (event.type !== 'streamed_message') return
    const growth = event as EventOf<'streamed_message'>
    messageGrows(state, growth)
    const id = growth.message_id
    if (state.growing[id]?.text === null) {
      const fetched = await call(reader, 'GET', `/messages/${id}/text`, { params: {} })
      if (fetched.status === 200) textFetched(state, id, fetched.body as { text: string; is_growing: boolean })
    }
    check(id)
  }
  const client = connect({
    ...quick,
    url,
    email: reader.email,
    apiKey: reader.api_key,
    register: {
      event_types: ['message', 'update_message', 'streamed_message'],
      client_capabilities: { streamed_messages: true, bulk_message_deletion: true },
    },
    onEvent: handle,
  })
  t.teardown(() => client.close())
  await client.registered
  let lostQueues = 0
  client.observe('restarted', () => lostQueues++)

  for (let answer = 0; answer < answers; answer++) {
    const whole = [`answer ${answer}: `, ...Array.from({ length: piecesPerAnswer }, () => anyOf(words, random))]
    const to = { type: 'channel', to: 'answers', topic: 'all', content: whole[0], streamed: true }
    const key = { queue_id: 'author', local_id: String(answer) }
    const { body } = await insist(author, '/messages', { ...to, ...key })
    const id = Number(body.id)
    texts.set(id, whole.join(''))
    const breaks = 1 + random(piecesPerAnswer)
    const isKilled = answer % Math.ceil(answers / kills) === 0
    await write(author, id, whole, piece => {
      if (piece !== breaks) return
      proxy.reset()
      proxy.heal()
      const [worker] = isKilled ? workersOf(server.process.pid) : []
      if (worker !== undefined) signal(worker, 'SIGKILL')
    })
    await eventually(`answer ${answer}`, () => contents.get(id) === whole.join('').trimEnd())
    await eventually(`the end of answer ${answer}`, () => state.growing[id] === undefined)
  }
  t.comment(`${seen} times a growing text was seen, ${lostQueues} queues were lost`)
  t.ok(seen > answers, 'the reader saw answers grow')
  t.same(wrong, [], 'each text that was seen is the beginning of that of the author')
  t.same(
    [...texts].filter(([id, text]) => contents.get(id) !== text.trimEnd()),
    [],
  )
  t.equal(lostQueues, 0)
})
