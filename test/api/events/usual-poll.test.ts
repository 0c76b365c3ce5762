import fc from 'fast-check'
import t from 'tap'
import { getEvents } from '../../../server/api/events/get-events.js'
import { ParamReader } from '../../../server/params/param-reader.js'

const reader = new ParamReader(getEvents, [])
const readUsual = (sent: Iterable<readonly [string, unknown]>) => getEvents.readUsual?.(new Map(sent))

t.test('a usual poll is read without the schema', async t => {
  const sent = [
    ['queue_id', 'a'],
    ['last_event_id', '1764000000010000'],
  ] as const
  t.same(readUsual(sent), { queue_id: 'a', last_event_id: 1764000000010000, dont_block: false })
})

t.test('what is read without the schema is what the schema reads', async () => {
  const name = fc.constantFrom('queue_id', 'last_event_id', 'dont_block', 'other')
  const value = fc.oneof(
    fc.constantFrom(
      '-1',
      '0',
      '-0',
      '-2',
      '01',
      '1e3',
      '1.0',
      ' 7',
      '9007199254740992',
      '9999999999999999',
      'null',
      '',
    ),
    fc.constantFrom('x'.repeat(1_000), 'x'.repeat(1_001)),
    fc.integer().map(String),
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.constantFrom(7, null, true),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { maxLength: 4 }), sent => {
      const usual = readUsual(sent)
      if (!usual) return
      const { params, ignored } = reader.read(new Map(sent), [])
      if (ignored.length > 0) throw new Error('a parameter was ignored')
      if (JSON.stringify(params) !== JSON.stringify(usual)) throw new Error(JSON.stringify({ params, usual }))
    }),
    { numRuns: 20_000 },
  )
})
