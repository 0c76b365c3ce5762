import fc from 'fast-check'
import t from 'tap'
import { readAck } from '../../server/socket/read-ack.js'
import { readFrame } from '../../server/socket/read-frame.js'
import { type Codec, pack, unpack } from '../../shared/wire/codec.js'

const json = (text: string) => new TextEncoder().encode(text)
// A copy, because packed bytes are a part of a larger buffer.
const asBuffer = (bytes: Uint8Array) => Uint8Array.from(bytes).buffer

t.test('an ack as clients write it is read without the parser, whatever its id', t => {
  const eventId = fc.integer({ min: 2 ** 33, max: Number.MAX_SAFE_INTEGER })
  fc.assert(
    fc.property(eventId, id => {
      const frame = { op: 'ack', last_event_id: id }
      t.equal(readAck('json', json(JSON.stringify(frame))), id)
      t.equal(readAck('msgpack', pack(frame)), id)
    }),
  )
  t.end()
})

t.test('the other ways in which libraries write it in MessagePack', t => {
  const id = 1_760_000_000_000_016
  const head = pack({ op: 'ack', last_event_id: id }).subarray(0, -9)
  for (const kind of [0xcf, 0xd3]) {
    const number = Buffer.alloc(9, kind)
    number.writeBigUInt64BE(BigInt(id), 1)
    const bytes = Buffer.concat([head, number])
    t.equal(readAck('msgpack', bytes), id)
    t.same(unpack(bytes), { op: 'ack', last_event_id: id })
    const short = Buffer.concat([Uint8Array.of(0x82), bytes.subarray(bytes[0] === 0x82 ? 1 : 3)])
    t.equal(readAck('msgpack', short), id)
  }
  t.end()
})

t.test('what reads it quickly and what reads every frame never disagree', t => {
  const near = fc.oneof(
    fc.constantFrom(
      '{"op":"ack","last_event_id":}',
      '{"op":"ack","last_event_id":-1}',
      '{"op":"ack","last_event_id":0}',
      '{"op":"ack","last_event_id":016}',
      '{"op":"ack","last_event_id":9999999999999999}',
      '{"op":"ack","last_event_id":1.5}',
      '{"op":"ack","last_event_id":16',
      '{"op":"ack","last_event_id":16}}',
      '{"op":"ack","last_event_id":16 }',
      '{"op":"ack", "last_event_id":16}',
      '{"last_event_id":16,"op":"ack"}',
      '{"op":"ack","last_event_id":16,"id":1}',
      '{"op":"ack"}',
    ),
    fc.integer().map(id => `{"op":"ack","last_event_id":${id}}`),
    fc.tuple(fc.nat(50), fc.string({ minLength: 1, maxLength: 1 })).map(([at, letter]) => {
      const text = '{"op":"ack","last_event_id":1760000000000016}'
      return text.slice(0, at) + letter + text.slice(at + 1)
    }),
  )
  fc.assert(fc.property(near, text => agree(t, 'json', json(text))))
  const packed = pack({ op: 'ack', last_event_id: 1_760_000_000_000_016 })
  const spoilt = fc.tuple(fc.nat(packed.length - 1), fc.nat(255)).map(([at, byte]) => {
    const bytes = Uint8Array.from(packed)
    bytes[at] = byte
    return bytes
  })
  fc.assert(fc.property(spoilt, bytes => agree(t, 'msgpack', bytes)))
  t.end()
})

/** If the fast reader returns an id, the parser returns the same frame. */
function agree(t: { same(found: unknown, wanted: unknown): unknown }, codec: Codec, bytes: Uint8Array): void {
  const quick = readAck(codec, bytes)
  if (quick === undefined) return
  const value = codec === 'json' ? JSON.parse(new TextDecoder().decode(bytes)) : unpack(bytes)
  t.same(value, { op: 'ack', last_event_id: quick })
  t.same(readFrame(codec, asBuffer(bytes), codec === 'msgpack'), value)
}
