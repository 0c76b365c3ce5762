import WebSocket from 'ws'
import type { HttpAnswer } from '../lib/http-client.js'
import type { Attack } from './attack-protocol.js'
import { type Client, inTurn, noAnswer } from './client.js'

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)
const search = (count: number) => [
  {
    operator: 'search',
    operand: numbers(count)
      .map(i => `"phrase ${i}"`)
      .join(' '),
  },
]
const page = { anchor: 'newest', num_before: '5000', num_after: '0' }
const dearMessage = '🅰'.repeat(10_000)
const edits = 40

/** Requests that cost the server far more than the client, by name. */
export const requestAttacks: Readonly<Record<string, Attack>> = {
  async 'a form of a million pairs'(client) {
    const form = { body: 'a&'.repeat(1_000_000), headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }
    const post = { ...form, method: 'POST', path: '/api/v1/messages' }
    return [
      await client.sends({ ...post, who: null }),
      await client.sends({ ...post, path: '/api/v1/no/such/path', who: null }),
      await client.sends({ ...post, who: { ...client.account, api_key: 'a wrong key' } }),
    ]
  },

  async 'a search of many phrases'(client) {
    const anonymous = { ...page, method: 'GET', narrow: search(10_000) }
    const flags = { ...page, op: 'add', flag: 'starred', narrow: search(60_000) }
    return [
      await client.asks('POST', '/messages', anonymous, null),
      await client.asks('POST', '/messages/flags/narrow', flags),
    ]
  },

  async 'long pages of messages with long HTML'(client, { channelName: to }) {
    const letter = { type: 'channel', to, topic: 'letters', content: dearMessage }
    const sent = await inTurn(100, () => client.asks('POST', '/messages', letter))
    const read = await Promise.all(numbers(4).map(() => client.asks('GET', '/messages', page)))
    return [...sent, ...read]
  },

  async 'many edits of one message'(client, { channelName: to }) {
    const sent = await client.asks('POST', '/messages', { type: 'channel', to, topic: 'edits', content: dearMessage })
    const { id } = JSON.parse(sent.body.toString()) as { id?: number }
    if (!id) return [sent]
    const edited = await inTurn(edits, i =>
      client.asks('PATCH', `/messages/${id}`, { content: `${i}${dearMessage.slice(20)}` }),
    )
    const read = await inTurn(10, () => client.asks('GET', `/messages/${id}`))
    return [sent, ...edited, ...read]
  },

  async 'large frames before authentication'(client) {
    const nils = Buffer.concat([Buffer.from([0xdd, 0, 0x0f, 0x42, 0x40]), Buffer.alloc(1_000_000, 0xc0)])
    return inTurn(3, () => frameBeforeAuthentication(client, nils))
  },

  async 'lists of hundred thousands'(client, { channelName }) {
    const subscriptions = '/users/me/subscriptions'
    const equal = (count: number, value: unknown) => numbers(count).map(() => value)
    const ids = equal(200_000, client.account.id)
    const setting = { stream_id: 1, property: 'color', value: '#abcdef' }
    const many: [method: string, path: string, params: Record<string, unknown>][] = [
      ['PUT', '/bot_storage', { storage: Object.fromEntries(numbers(100_000).map(i => [`key${i}`, ''])) }],
      ['POST', '/user_groups/create', { name: `group ${Math.random()}`, description: '', members: ids }],
      ['POST', subscriptions, { subscriptions: [{ name: channelName }], principals: ids }],
      ['POST', subscriptions, { subscriptions: numbers(20_000).map(i => ({ name: `${i}` })) }],
      ['POST', `${subscriptions}/properties`, { subscription_data: equal(20_000, setting) }],
      ['POST', '/messages/flags', { op: 'add', flag: 'read', messages: equal(400_000, 1) }],
    ]
    const answers: HttpAnswer[] = []
    for (const request of many) answers.push(await client.asks(...request))
    return answers
  },
}

/** Opens a socket and repeats the frame until the server closes the socket, at most ten times. */
function frameBeforeAuthentication({ server, localAddress }: Client, frame: Buffer): Promise<HttpAnswer> {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/api/v1/socket`, 'chat.v1.msgpack', { localAddress })
  return new Promise(resolve => {
    const end = (status: number) => resolve(noAnswer(status))
    socket.on('open', () => {
      for (let i = 0; i < 10; i++) socket.send(frame)
    })
    socket.on('unexpected-response', (_, response) => {
      end(response.statusCode ?? 0)
      socket.terminate()
    })
    socket.on('error', () => socket.terminate())
    socket.on('close', () => end(400))
  })
}
