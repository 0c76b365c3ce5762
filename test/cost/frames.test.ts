// What a frame of a socket costs as it grows, before authentication and after it: next to nothing where it is refused, and in
// proportion to its bytes where it is decoded.
import t from 'tap'
import WebSocket from 'ws'
import { pack } from '../../shared/wire/codec.js'
import { basic } from '../support/http.js'
import { createPerson } from '../support/people.js'
import { testOrganization } from '../support/server.js'
import { boundsFor } from './bounds.js'
import { type Cost, complaintOf, smallerOf } from './cost-rules.js'
import { MeasuredServer } from './measured-server.js'

type Codec = 'json' | 'msgpack'
type Frame = string | Uint8Array

const organization = await testOrganization(t)
const server = await MeasuredServer.start(t, organization)
const person = await createPerson(organization.sql, server.url)
const bounds = boundsFor(server.slowness)

// Below MAX_FRAME_BYTES.
const mostBytes = 1_000_000
const mostRepeats = 9
const sizes = Array.from({ length: 7 }, (_, power) => 10 ** power)

const list = <Item>(size: number, item: (i: number) => Item) => Array.from({ length: size }, (_, i) => item(i))
// The encoder writes maps of up to 65,535 members.
const keys = (size: number) => Object.fromEntries(list(Math.min(size, 65_000), i => [`k${i}`, 1]))
const asked = (params: unknown) => ({ op: 'request', id: 1, method: 'GET', path: '/users/me', params })

/** Values that any codec can carry, by what grows in them. */
const values: Readonly<Record<string, (size: number) => unknown>> = {
  'a list of nulls': size => list(size, () => null),
  'a list of lists': size => list(size, () => []),
  'a map': keys,
  'a long text': size => 'a'.repeat(size),
  'an id of many letters': size => ({ op: 'detach', id: 'a'.repeat(size) }),
  'a request of many parameters': size => asked(keys(size)),
  'a request with a long parameter': size => asked({ name: 'a'.repeat(size) }),
  'a request with a list': size => asked({ name: list(size, () => 1) }),
  'a request with a long path': size => ({ ...asked({}), path: `/${'a/'.repeat(size / 2)}` }),
  'a request with a long query': size => ({ ...asked({}), path: `/users/me?${'a&'.repeat(size / 2)}` }),
  'an auth frame': size => ({ op: 'auth', id: 1, email: 'a'.repeat(size), api_key: 'x' }),
}

const header = (first: number, size: number) => {
  const bytes = Buffer.alloc(5)
  bytes[0] = first
  bytes.writeUInt32BE(size, 1)
  return bytes
}

/** Frames that no encoder makes. */
const odd: Readonly<Record<Codec, Readonly<Record<string, (size: number) => Frame>>>> = {
  json: {
    'nested lists': size => '['.repeat(size),
    'nested objects': size => '{"a":'.repeat(size),
    'a text that does not end': size => `"${'\\"'.repeat(size / 2)}`,
    spaces: size => `${' '.repeat(size)}1`,
  },
  msgpack: {
    'nested lists': size => Buffer.alloc(size, 0x91),
    'nested maps': size => Buffer.alloc(size, 0x81),
    'a list that promises more': size => Buffer.concat([header(0xdd, 2 ** 32 - 1), Buffer.alloc(size, 0xc0)]),
    'a text that promises more': size => Buffer.concat([header(0xdb, 2 ** 32 - 1), Buffer.alloc(size, 0x61)]),
    extensions: size => Buffer.alloc(size, Buffer.from([0xd4, 1, 0])),
  },
}

for (const codec of ['json', 'msgpack'] as const) {
  const encode = (value: unknown): Frame => (codec === 'json' ? JSON.stringify(value) : pack(value))
  const frames = {
    ...odd[codec],
    ...Object.fromEntries(Object.entries(values).map(([name, of]) => [name, (size: number) => encode(of(size))])),
  }
  for (const isKnown of [false, true]) {
    t.test(`${codec}, ${isKnown ? 'after' : 'before'} authentication`, async t => {
      for (const [name, of] of Object.entries(frames)) t.equal(await growCost(codec, isKnown, of), null, name)
    })
  }
}

async function growCost(codec: Codec, isKnown: boolean, of: (size: number) => Frame): Promise<string | null> {
  let costs = await costsOf(codec, isKnown, of)
  for (let again = 0; again < mostRepeats && complaintOf(costs, bounds) !== null; again++) {
    costs = smallerOf(costs, await costsOf(codec, isKnown, of))
  }
  return complaintOf(costs, bounds)
}

async function costsOf(codec: Codec, isKnown: boolean, of: (size: number) => Frame): Promise<Cost[]> {
  const costs: Cost[] = []
  for (const size of sizes) {
    const frame = of(size)
    if (frame.length <= mostBytes) costs.push(await measure(codec, isKnown, size, frame))
  }
  return costs
}

/** The frame, and after it one that is answered or ends the socket: then both were handled. */
async function measure(codec: Codec, isKnown: boolean, size: number, frame: Frame): Promise<Cost> {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/v1/socket`, `chat.v1.${codec}`, {
    headers: isKnown ? { Authorization: basic(person) } : {},
  })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  let answerBytes = 0
  const { result: status, cpuMs } = await server.cpuOf(
    () =>
      new Promise<number>(resolve => {
        socket.on('message', (data: Buffer) => {
          answerBytes += data.length
          if (isLast(codec, data)) resolve(200)
        })
        socket.on('close', () => resolve(400))
        socket.send(frame)
        const last = { op: 'request', id: 'last', method: 'GET', path: '/server_settings' }
        socket.send(codec === 'json' ? JSON.stringify(last) : pack(last))
      }),
  )
  socket.terminate()
  return { size, requestBytes: frame.length, cpuMs, answerBytes, status, isBeyond: true }
}

const isLast = (codec: Codec, data: Buffer): boolean =>
  codec === 'json' ? data.includes('"id":"last"') : data.includes(Buffer.from(pack('last')))
