import t from 'tap'
import { z } from 'zod'
import { AudienceSet, encodeAudience } from '../../server/realtime/encoding/audience.js'
import { Defs } from '../../server/realtime/encoding/defs.js'
import { Encoded } from '../../server/realtime/encoding/encoded.js'
import { Entry, encodeEmission, encodeInternal, widthOf } from '../../server/realtime/encoding/entry.js'
import { emptyFrame } from '../../server/realtime/encoding/frames.js'
import { decodeReferences, encodeReferences } from '../../server/realtime/queues/references.js'
import { ShownTransactions } from '../../server/realtime/queues/shown-transactions.js'
import { defineEvent } from '../../shared/events/event.js'
import { pack, unpack } from '../../shared/wire/codec.js'

const raw = { id: 160, outboxId: 1, xid: 5, messageId: 0, previous: 144 }
const log = { error: () => {} } as never

t.test('audiences come back as they were, in few bytes', async t => {
  const many = [...Array(10_000).keys()].map(i => i + 1)
  const mixed = many.filter(id => (id * 7919) % 3 === 0 || id % 128 < 90)
  const nearlyAll = many.filter(id => id % 97 !== 0)
  const edges = [1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 2_147_483_646, 2_147_483_647]
  for (const ids of [
    [],
    [1],
    [7, 8, 9],
    [1, 1000, 1_000_000, 2_147_483_647],
    many,
    many.filter(id => id % 37 === 0),
    mixed,
    nearlyAll,
    edges,
  ]) {
    const set = new AudienceSet(encodeAudience(ids))
    t.equal(set.size, ids.length)
    t.same([...set.ids()], ids)
    const members = new Set(ids)
    const around = [...Array(300).keys()]
    t.same(
      around.filter(id => set.has(id)),
      around.filter(id => members.has(id)),
    )
    t.ok(ids.every(id => set.has(id)))
    const first = ids[0] ?? 5
    const last = ids.at(-1) ?? 5
    for (const id of [first - 1, last + 1, 0, -1, last + 100_000]) t.notOk(set.has(id))
  }
  t.ok(encodeAudience(many).length < 16)
  t.ok(encodeAudience(nearlyAll).length < 450)
  t.ok(encodeAudience(mixed).length < 1300)
})

t.test('an event is read as it was written, also after it was forgotten', async t => {
  const fields = z.object({ message: z.object({ id: z.int(), content: z.string() }) })
  const def = defineEvent('message', { doc: '', fields })
  const defs = new Defs(new Map([['message', def as never]]), log)
  const bytes = encodeEmission({
    def: def as never,
    payload: { message: { id: 0, content: 'é' } },
    audience: [1, 2, 3],
    perUser: [{ users: [2], fields: { flags: ['read'] } }],
    publicReaders: [4, 9],
    local: { queueId: 'q', userId: 2, fields: { local_message_id: '1' } },
  })
  const entry = new Entry({ ...raw, bytes, messageId: 77 }, defs)
  for (const when of ['at first', 'again']) {
    t.match(
      entry,
      {
        name: 'message',
        payload: { message: { id: 77, content: 'é' } },
        local: { queueId: 'q', userId: 2, fields: { local_message_id: '1' } },
      },
      when,
    )
    t.same([...entry.audience.ids()], [1, 2, 3])
    t.same([...(entry.perUser[0]?.users.ids() ?? [])], [2])
    t.same([...entry.publicReaders.ids()], [4, 9])
    t.equal(entry.payload, entry.payload, 'read once')
    entry.variants[0] = null
    entry.forget()
    t.same(entry.variants, [])
  }
})

t.test('bytes of another form are no event', async t => {
  const defs = new Defs(new Map(), log)
  const none = new Uint8Array()
  for (const value of [[1, 'message', {}, none, [], none, null], [], 'message', null])
    t.throws(() => new Entry({ ...raw, bytes: pack(value) }, defs))
})

t.test('the width of an event is read without unpacking it', async t => {
  for (const width of [1, 3, 127, 128, 255, 256, 65_535, 65_536, 100_000]) {
    const def = defineEvent('wide', { doc: '', fields: z.object({}), width: () => width })
    t.equal(widthOf(encodeEmission({ def, payload: {}, audience: [1] })), width)
  }
  t.equal(widthOf(encodeInternal('_tick')), 1)
})

t.test('packed events carry their id as a 64-bit integer', async t => {
  const id = 1_795_180_998_564_048
  for (const fields of [{}, { a: 1 }, Object.fromEntries([...Array(40).keys()].map(i => [`k${i}`, i]))]) {
    const encoded = new Encoded(id, [{ type: 'x', ...fields }], 1)
    const [bytes = new Uint8Array()] = encoded.msgpack()
    t.same(unpack(bytes), { id, type: 'x', ...fields })
    t.equal(Buffer.from(bytes).indexOf(Buffer.from([0xa2, 0x69, 0x64, 0xd3])) < 4, true)
    t.same(JSON.parse(encoded.json()[0] ?? ''), { id, type: 'x', ...fields })
  }
})

t.test('frames contain the events of their path, for each reader', async t => {
  for (const count of [1, 15, 16, 70_000]) {
    let frame = emptyFrame()
    for (let i = 1; i <= count; i++) frame = frame.with(new Encoded(i * 16, [{ type: 'x' }], 1))
    const expected = { op: 'events', events: [...Array(count).keys()].map(i => ({ id: (i + 1) * 16, type: 'x' })) }
    t.same(unpack(frame.frame('msgpack')), expected)
    t.same(JSON.parse(Buffer.from(frame.frame('json')).toString()), expected)
  }
  const [one, two] = [new Encoded(16, [{ type: 'x' }], 1), new Encoded(32, [{ type: 'y' }], 1)]
  const root = emptyFrame()
  t.equal(root.with(one).with(two), root.with(one).with(two))
  t.not(root.with(two), root.with(one).with(two))
  t.equal(root.with(one), root.with(one))
})

t.test('references come back as they were', async t => {
  for (const ids of [[16], [16, 32, 1600], [1_795_180_998_564_048, 1_795_180_998_564_064, 1_795_190_998_564_064]]) {
    const entry = [Buffer.from(`${ids.at(-1)}-0`), [Buffer.from('r'), Buffer.from(encodeReferences(ids))]]
    t.same(decodeReferences(entry as never), ids)
  }
  t.equal(encodeReferences([16]).length, 0)
})

t.test('a snapshot reports which transactions it shows', async t => {
  const shown = new ShownTransactions('10:20:12,15')
  t.same(
    [0, 9, 10, 12, 13, 15, 19, 20, 21].map(xid => shown.has(xid)),
    [false, true, true, false, true, false, true, false, false],
  )
  t.ok(new ShownTransactions('10:10:').has(9))
  t.notOk(new ShownTransactions('10:10:').has(10))
})
