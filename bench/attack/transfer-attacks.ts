import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { blackPng, largeAvif } from '../../test/support/crafted-pictures.js'
import type { HttpAnswer } from '../lib/http-client.js'
import type { Attack, Means } from './attack-protocol.js'
import { type Client, inTurn, noAnswer } from './client.js'

const tus = '/api/v1/tus/'
const resumable = { 'Tus-Resumable': '1.0.0' }

/** Pictures of a few kilobytes, and up to 90 million pixels. */
const pictures = [
  { name: 'square.avif', type: 'image/avif', bytes: largeAvif() },
  { name: 'wide.png', type: 'image/png', bytes: blackPng(90_000_000, 1) },
  { name: 'tall.png', type: 'image/png', bytes: blackPng(1, 90_000_000) },
] as const
type Picture = (typeof pictures)[number]
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)

/** Pictures, files and other hosts: a member, or a caller without an account, keeps a part of the server busy. */
export const transferAttacks: Readonly<Record<string, Attack>> = {
  async 'pictures of many pixels'(client, { channelName: to }) {
    const answers: HttpAnswer[] = []
    for (const picture of pictures) {
      const uploaded = await sendFile(client, '/user_uploads', picture)
      answers.push(uploaded, await sendFile(client, '/users/me/avatar', picture))
      const { url } = fieldsOf(uploaded)
      if (!url) continue
      answers.push(
        await client.asks('POST', '/messages', { type: 'channel', to, topic: 'pictures', content: `[a](${url})` }),
      )
      const path = `${url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`
      answers.push(await client.sends({ method: 'GET', path }))
    }
    return answers
  },

  async 'pictures whose sender leaves'(client) {
    const leaving = client.withConnections(8)
    const left = numbers(8).map(i =>
      sendFile(leaving, '/users/me/avatar', pictures[i % pictures.length] as Picture, 500),
    )
    return settled(left, leaving)
  },

  async 'hosts that send a byte a second'(client, means) {
    const addresses = await signedAddresses(client, means)
    const many = client.withConnections(64)
    const signal = AbortSignal.timeout(10_000)
    return settled(
      addresses.map(path => many.sends({ method: 'GET', path, signal })),
      many,
    )
  },

  async 'links to slow websites'(client, { channelName: to, hosts }) {
    const first = hostOf(client)
    return inTurn(10, i =>
      client.asks('POST', '/messages', {
        type: 'channel',
        to,
        topic: 'websites',
        content: numbers(5)
          .map(k => hosts.address(first + k, `/${i}-${Math.random()}.html`))
          .join('\n'),
      }),
    )
  },

  async 'lists of 150,000 ids'(client) {
    const ids = JSON.stringify(numbers(150_000).map(i => i + 1))
    return [
      await client.asks('POST', '/messages', { method: 'GET', message_ids: ids }),
      await client.asks('POST', '/messages/flags', { op: 'add', flag: 'read', messages: ids }),
      await client.asks('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'x' }], principals: ids }),
    ]
  },

  async 'many uploads at once'(client) {
    const many = client.withConnections(32)
    const bytes = randomBytes(64 * 1024)
    const begin = () =>
      many.sends({ method: 'POST', path: tus, headers: { ...resumable, 'Upload-Length': String(5 * 1024 * 1024) } })
    const begun = await settled(
      numbers(120).map(() => begin()),
      undefined,
    )
    const paths = begun.flatMap(({ headers: { location } }) =>
      typeof location === 'string' ? [new URL(location).pathname] : [],
    )
    const part = { ...resumable, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' }
    const sent = await settled(
      paths.flatMap(path => [
        many.sends({ method: 'PATCH', path, headers: part, body: bytes }),
        many.sends({
          ...{ method: 'PATCH', path, body: bytes },
          // It announces more than it sends.
          headers: { ...part, 'Content-Length': '4000000' },
          signal: AbortSignal.timeout(5000),
        }),
      ]),
      undefined,
    )
    const ended = paths.map(path => many.sends({ method: 'DELETE', path, headers: resumable }))
    return [...begun, ...sent, ...(await settled(ended, many))]
  },

  async 'OPTIONS without an account'(client) {
    const answers: HttpAnswer[] = []
    for (const path of [tus, '/api/v1/messages', '/', '/user_uploads/x', '/api/v1/docs']) {
      for (let i = 0; i < 20; i++) {
        answers.push(await client.sends({ method: 'OPTIONS', path, who: null }))
        await sleep(20)
      }
    }
    return answers
  },
}

const fieldsOf = ({ status, body }: HttpAnswer): { url?: string; id?: number } =>
  status === 200 ? JSON.parse(body.toString()) : {}

function sendFile(
  client: Client,
  path: string,
  { name, type, bytes }: Picture,
  leavesAfterMs?: number,
): Promise<HttpAnswer> {
  const boundary = `parley${randomBytes(8).toString('hex')}`
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`
  return client.sends({
    method: 'POST',
    path: `/api/v1${path}`,
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    ...(leavesAfterMs !== undefined && { signal: AbortSignal.timeout(leavesAfterMs) }),
  })
}

/** Addresses at this server of 66 pictures on eight slow hosts; a message with more than 24 links has no pictures. */
async function signedAddresses(client: Client, { channelName: to, hosts }: Means): Promise<string[]> {
  const first = hostOf(client)
  const addresses: string[] = []
  for (let message = 0; message < 3; message++) {
    const content = numbers(22)
      .map(i => hosts.address(first + (i % 8), `/${message}-${i}.png`))
      .join('\n')
    const sent = await client.asks('POST', '/messages', { type: 'channel', to, topic: 'drips', content })
    const { id } = fieldsOf(sent)
    if (id === undefined) return addresses
    const read = await client.asks('GET', `/messages/${id}`)
    addresses.push(...new Set(read.body.toString().match(/\/external_content\/[0-9a-f]+\/[0-9a-f]+/g)))
  }
  return addresses
}

/** Every client has eight hosts of its own. */
const hostOf = ({ localAddress }: Client): number => Number(localAddress.split('.')[3]) * 8

/** The answers; status 0: the sender has ended the request before. */
async function settled(asked: readonly Promise<HttpAnswer>[], client: Client | undefined): Promise<HttpAnswer[]> {
  const results = await Promise.allSettled(asked)
  client?.end()
  return results.map(result => (result.status === 'fulfilled' ? result.value : noAnswer(0)))
}
