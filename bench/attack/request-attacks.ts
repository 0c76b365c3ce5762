import WebSocket from 'ws'
import type { Attack } from './attack-protocol.js'
import type { Client, ClientAnswer } from './client.js'

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)
const phrases = (count: number) =>
  numbers(count)
    .map(i => `"phrase ${i}"`)
    .join(' ')
const search = (count: number) => [{ operator: 'search', operand: phrases(count) }]
const page = { anchor: 'newest', num_before: '5000', num_after: '0' }
const dearMessage = '🅰'.repeat(10_000)
const edits = 40

/** Requests that cost the server far more than the client, by name. */
export const requestAttacks: Readonly<Record<string, Attack>> = {
  async 'a form of a million pairs'(client) {
    const body = 'a&'.repeat(1_000_000)
    return [
      await client.call('POST', '/messages', body, null),
      await client.call('POST', '/no/such/path', body, null),
      await client.call('POST', '/messages', body, 'a wrong key'),
    ]
  },

  async 'a search of many phrases'(client) {
    const anonymous = { ...page, method: 'GET', narrow: search(10_000) }
    const flags = { ...page, op: 'add', flag: 'starred', narrow: search(60_000) }
    return [
      await client.form('POST', '/messages', anonymous, null),
      await client.form('POST', '/messages/flags/narrow', flags),
    ]
  },

  async 'long pages of messages with long HTML'(client, { channelName: to }) {
    const sent = await inTurn(100, () =>
      client.form('POST', '/messages', { type: 'channel', to, topic: 'letters', content: dearMessage }),
    )
    const read = await Promise.all(
      numbers(4).map(() => client.call('GET', `/messages?${new URLSearchParams(page)}`, '')),
    )
    return [...sent, ...read]
  },

  async 'many edits of one message'(client, { channelName: to }) {
    const sent = await client.form('POST', '/messages', { type: 'channel', to, topic: 'edits', content: dearMessage })
    const { id } = JSON.parse(sent.body.toString()) as { id?: number }
    if (!id) return [sent]
    const edited = await inTurn(edits, i =>
      client.form('PATCH', `/messages/${id}`, { content: `${i}${dearMessage.slice(20)}` }),
    )
    const read = await inTurn(10, () => client.call('GET', `/messages/${id}`, ''))
    return [sent, ...edited, ...read]
  },

  async 'large frames before authentication'(client) {
    const nils = Buffer.concat([Buffer.from([0xdd, 0, 0x0f, 0x42, 0x40]), Buffer.alloc(1_000_000, 0xc0)])
    return inTurn(3, () => frameBeforeAuthentication(client, nils))
  },

  async 'lists of hundred thousands'(client, { channelName: to }) {
    const key = (i: number) => [`key${i}`, '']
    const equal = (count: number, value: unknown) => numbers(count).map(() => value)
    const { id } = client.account
    return [
      await client.form('PUT', '/bot_storage', { storage: Object.fromEntries(numbers(100_000).map(key)) }),
      await client.form('POST', '/user_groups/create', {
        name: `group ${Math.random()}`,
        description: '',
        members: equal(200_000, id),
      }),
      await client.form('POST', '/users/me/subscriptions', {
        subscriptions: [{ name: to }],
        principals: equal(200_000, id),
      }),
      await client.form('POST', '/users/me/subscriptions', {
        subscriptions: numbers(20_000).map(i => ({ name: `${i}` })),
      }),
      await client.form('POST', '/users/me/subscriptions/properties', {
        subscription_data: equal(20_000, { stream_id: 1, property: 'color', value: '#abcdef' }),
      }),
      await client.form('POST', '/messages/flags', { op: 'add', flag: 'read', messages: equal(400_000, 1) }),
    ]
  },
}

async function inTurn(count: number, ask: (i: number) => Promise<ClientAnswer>): Promise<ClientAnswer[]> {
  const answers: ClientAnswer[] = []
  for (let i = 0; i < count; i++) {
    const answer = await ask(i)
    answers.push(answer)
    // After a rate-limit answer, further requests are pointless for the attacker.
    if (answer.status === 429) break
  }
  return answers
}

/** Opens a socket and repeats the frame until the server closes the socket, at most ten times. */
function frameBeforeAuthentication({ server, localAddress }: Client, frame: Buffer): Promise<ClientAnswer> {
  const begin = performance.now()
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/api/v1/socket`, 'chat.v1.msgpack', { localAddress })
  return new Promise(resolve => {
    const end = (status: number) =>
      resolve({ status, ms: performance.now() - begin, body: Buffer.alloc(0), headers: {} })
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
