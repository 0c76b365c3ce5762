import fc from 'fast-check'
import t from 'tap'
import { budgets } from '../../server/config/budgets.js'
import { requirePackedBounds, UnreadableBytes } from '../../server/socket/packed-bounds.js'
import { readFrame } from '../../server/socket/read-frame.js'
import { parseJson } from '../../server/text/bounded-json.js'
import { pack } from '../../shared/wire/codec.js'

const seed = 12
const levels = budgets.jsonDepth.most
const items = budgets.jsonItems.most
const tooDeep = { code: 'BAD_REQUEST', message: /more than 32 levels/ }
const tooMany = { code: 'BAD_REQUEST', message: /more than 50000 values/ }

/** The number of values in a value, including itself. */
function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, inner) => sum + sizeOf(inner), 1)
}

function nested(depth: number, innermost: unknown): unknown {
  let value = innermost
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { '[": ,': value }
  return value
}

const padded = (value: unknown, size: number) => [value, ...new Array(size - 1 - sizeOf(value)).fill(0)]
const small = fc.jsonValue({ maxDepth: 4 })
const indent = fc.constantFrom(undefined, 1, '\t')

t.test('a JSON text within the budgets is read as the parser alone reads it', async t => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 12 }), indent, (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      t.same(parseJson(text), JSON.parse(text))
    }),
    { seed },
  )
})

t.test('a MessagePack value within the budgets passes, whatever is in it', async () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 12 }), value => requirePackedBounds(pack(value))),
    { seed },
  )
  const lengths = [0, 15, 16, 31, 32, 255, 256, 65_535, 65_536]
  for (const length of lengths) {
    requirePackedBounds(pack('x'.repeat(length)))
    requirePackedBounds(pack(new Array(Math.min(length, items - 1)).fill(0)))
  }
  // Lengths of 32 bits, as another encoder may write them.
  for (const bytes of [
    [0xdd, 0, 0, 0, 1, 0xc0],
    [0xdf, 0, 0, 0, 1, 0xa1, 0x6b, 0xc0],
  ]) {
    requirePackedBounds(Buffer.from(bytes))
  }
  for (const length of [0, 15, 16, items - 1]) {
    requirePackedBounds(pack(Object.fromEntries(Array.from({ length }, (_, i) => [`k${i}`, i]))))
  }
  for (const number of [0, 127, 128, 2 ** 16, 2 ** 32, 2 ** 52, -1, -33, -(2 ** 15), -(2 ** 31), -(2 ** 52), 0.5]) {
    requirePackedBounds(pack(number))
  }
})

t.test('as many values as the budget are taken, one more is refused before anything is built', async t => {
  fc.assert(
    fc.property(small, indent, (value, indent) => {
      const full = padded(value, items)
      parseJson(JSON.stringify(full, null, indent))
      requirePackedBounds(pack(full))
      const over = padded(value, items + 1)
      t.throws(() => parseJson(JSON.stringify(over, null, indent)), tooMany)
      t.throws(() => requirePackedBounds(pack(over)), tooMany)
    }),
    { seed, numRuns: 20 },
  )
  // Refused although it is not JSON: the parser would have built the values before the error.
  t.throws(() => parseJson(`[${'0,'.repeat(items)}nonsense`), tooMany)
})

t.test('as many levels as the budget are taken, one more is refused', async t => {
  fc.assert(
    fc.property(fc.constantFrom(0, '[[[', '\\"', null), indent, (innermost, indent) => {
      const deep = nested(levels, innermost)
      t.same(parseJson(JSON.stringify(deep, null, indent)), deep)
      requirePackedBounds(pack(deep))
      const deeper = nested(levels + 1, innermost)
      t.throws(() => parseJson(JSON.stringify(deeper, null, indent)), tooDeep)
      t.throws(() => requirePackedBounds(pack(deeper)), tooDeep)
    }),
    { seed },
  )
})

t.test('brackets, commas and quotes within strings count for nothing', async t => {
  const text = fc.array(fc.constantFrom('[', '{', ',', '"', '\\', 'x', '\n'), { maxLength: 300 })
  fc.assert(
    fc.property(text, letters => {
      const value = [{ [letters.join('')]: letters.join('') }]
      t.same(parseJson(JSON.stringify(value)), value)
    }),
    { seed },
  )
})

t.test('a length that the frame does not have, and kinds that the protocol does not use, are refused', async t => {
  const refused = {
    'an array of 2^32-1 values': [0xdd, 0xff, 0xff, 0xff, 0xff],
    'a map of 65535 entries': [0xde, 0xff, 0xff, 0xc0],
    'a text of 2^32-1 bytes': [0xdb, 0xff, 0xff, 0xff, 0xff, 0x61],
    'a short text that is cut': [0xa3, 0x61],
    'a number that is cut': [0xcb, 0],
    'a length that is cut': [0xda, 0],
    'an array that is cut': [0x92, 0xc0],
    nothing: [],
    'more than one value': [0xc0, 0xc0],
    'the token that is none': [0xc1],
    'binary data': [0xc4, 1, 0],
    'a definition of a record': [0xd4, 0x72, 0x40, 0x91, 0xa1, 0x61, 0xc0],
    'an extension': [0xc7, 0, 0x74],
    'a date': [0xd6, 0xff, 0, 0, 0, 0],
  }
  for (const [name, bytes] of Object.entries(refused)) {
    const thrown = await Promise.resolve()
      .then(() => requirePackedBounds(Uint8Array.from(bytes)))
      .catch(error => error)
    t.ok(thrown instanceof UnreadableBytes || thrown?.code === 'BAD_REQUEST', name)
    t.type(readFrame('msgpack', Uint8Array.from(bytes).buffer, true), 'string', name)
  }
})

t.test('random bytes are a frame or not, and never an exception', async t => {
  const token = fc.oneof(fc.nat(255), fc.constantFrom(0x81, 0x92, 0xa2, 0xdc, 0xdd, 0xde, 0xd4, 0x72, 0x7b, 0x5b, 0x22))
  fc.assert(
    fc.property(fc.array(token, { maxLength: 80 }), bytes => {
      readFrame('msgpack', Uint8Array.from(bytes).buffer, true)
      readFrame('json', Uint8Array.from(bytes).buffer, false)
    }),
    { seed, numRuns: 5000 },
  )
  fc.assert(
    fc.property(small, fc.nat(), fc.nat(255), (value, place, byte) => {
      const bytes = Uint8Array.from(pack(value))
      bytes[place % bytes.length] = byte
      readFrame('msgpack', bytes.buffer, true)
    }),
    { seed, numRuns: 2000 },
  )
  t.pass('none was thrown')
})

t.test('a field that is null counts as absent', async t => {
  const frame = { op: 'request', id: null, method: 'GET', path: '/users/me', params: null, other: null }
  const read = readFrame('msgpack', Uint8Array.from(pack(frame)).buffer, true)
  t.match(read, { op: 'request', method: 'GET', path: '/users/me' })
})
