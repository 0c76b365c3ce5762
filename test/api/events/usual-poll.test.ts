import fc from 'fast-check'
import t from 'tap'
import { getEvents } from '../../../server/api/events/get-events.js'
import { ParamReader } from '../../../server/params/param-reader.js'
import { readParameters } from '../../../server/params/read-parameters.js'

const reader = new ParamReader(getEvents, [])
const readUsual = (query: string) => getEvents.readUsual?.(query)

t.test('a usual poll is read without the schema', async t => {
  const usual = { queue_id: 'a', last_event_id: 1764000000010000, dont_block: false }
  t.same(readUsual('queue_id=a&last_event_id=1764000000010000'), usual)
  t.same(readUsual('last_event_id=1764000000010000&queue_id=a'), usual)
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
    fc.string({ unit: 'binary', maxLength: 8 }).map(encodeURIComponent),
    fc.constantFrom('%61', 'a+b', 'a_b-', '%zz', '=', 'é'),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { maxLength: 4 }), sent => {
      const query = sent.map(pair => pair.join('=')).join('&')
      const usual = readUsual(query)
      if (!usual) return
      const { params, ignored } = reader.read(readParameters(query, undefined), [])
      if (ignored.length > 0) throw new Error('a parameter was ignored')
      if (JSON.stringify(params) !== JSON.stringify(usual)) throw new Error(JSON.stringify({ params, usual }))
    }),
    { numRuns: 20_000 },
  )
})
