import t from 'tap'
import { coarseBounds, Distribution, fineBounds } from '../../server/metrics/distribution.js'
import { exposition } from '../../server/metrics/exposition.js'
import { families } from '../../server/metrics/families.js'
import { machineReadings } from '../../server/metrics/machine.js'
import { distributionReading, growing, merge, type Reading, reading } from '../../server/metrics/reading.js'

const figureOf = (all: readonly Reading[], name: string) => all.find(one => one.name === name)?.value
const line = (text: string, start: string) => text.split('\n').filter(one => one.startsWith(start))

t.test('bounds rise, and span a tenth of a millisecond to some seconds', async t => {
  for (const bounds of [fineBounds, coarseBounds]) {
    t.same(
      [...bounds].sort((a, b) => a - b),
      bounds,
    )
    t.equal(bounds[0], 0.0001)
    t.ok((bounds.at(-1) ?? 0) >= 5)
  }
})

t.test('a value lies in the bucket whose upper end it does not pass', async t => {
  const distribution = new Distribution([1, 2])
  for (const seconds of [0.5, 1, 1.1, 2, 2.1, 100]) distribution.observe(seconds)
  t.same([...distribution.counts], [2, 2, 2])
  t.ok(Math.abs(distribution.sum - 106.7) < 1e-9)
})

t.test('a time that a clock made negative counts as none', async t => {
  const distribution = new Distribution([1])
  distribution.observe(-5)
  t.same([...distribution.counts], [1, 0])
  t.equal(distribution.sum, 0)
})

t.test('workers together: added, or the highest, or the lowest', async t => {
  const told = (queues: number, lag: number, up: number) => [
    reading('parley_queues', queues),
    reading('parley_feed_lag_seconds', lag),
    reading('parley_redis_up', up),
  ]
  const whole = merge([told(3, 0.5, 1), told(4, 0.2, 0)])
  t.equal(figureOf(whole, 'parley_queues'), 7)
  t.equal(figureOf(whole, 'parley_feed_lag_seconds'), 0.5)
  t.equal(figureOf(whole, 'parley_redis_up'), 0)
})

t.test('labels keep figures apart', async t => {
  const one = [reading('parley_sockets', 1, { codec: 'json' }), reading('parley_sockets', 2, { codec: 'msgpack' })]
  t.same(merge([one, one]), [
    reading('parley_sockets', 2, { codec: 'json' }),
    reading('parley_sockets', 4, { codec: 'msgpack' }),
  ])
})

t.test('distributions are added bucket by bucket; of another form they are not mixed', async t => {
  const told = (counts: number[], value: number): Reading => ({
    name: 'parley_delivery_delay_seconds',
    labels: {},
    value,
    counts,
  })
  t.same(merge([[told([1, 2], 3)], [told([10, 20], 30)]]), [told([11, 22], 33)])
  t.same(merge([[told([1, 2], 3)], [told([1, 2, 3], 4)]]), [told([1, 2, 3], 4)])
})

t.test('what a worker counted stays when it is gone; what it held does not', async t => {
  const gone = [reading('parley_messages_sent_total', 10), reading('parley_queues', 5)]
  t.same(growing(gone), [gone[0]])
  const now = [reading('parley_messages_sent_total', 1), reading('parley_queues', 2)]
  const { whole } = machineReadings([{ worker: '1', readings: now }], gone, [reading('parley_workers', 1)])
  t.equal(figureOf(whole, 'parley_messages_sent_total'), 11)
  t.equal(figureOf(whole, 'parley_queues'), 2)
  t.equal(figureOf(whole, 'parley_workers'), 1)
})

t.test('the text form', async t => {
  const delay = new Distribution(fineBounds)
  delay.observe(0.0012)
  delay.observe(50)
  const readings = [
    distributionReading('parley_delivery_delay_seconds', delay, { transport: 'socket' }),
    reading('parley_refusals_total', 3, { code: 'a "quoted"\nline' }),
    reading('parley_feed_entries_total', 8),
  ]
  const workers = [
    { worker: '1', readings },
    { worker: '2', readings },
  ]
  const text = await exposition(machineReadings(workers, [], []))
  t.test('buckets count what is below them, too', async t => {
    t.match(line(text, 'parley_delivery_delay_seconds_bucket{transport="socket",le="0.001"}'), [/ 0$/])
    t.match(line(text, 'parley_delivery_delay_seconds_bucket{transport="socket",le="0.0015"}'), [/ 2$/])
    t.match(line(text, 'parley_delivery_delay_seconds_bucket{transport="socket",le="7"}'), [/ 2$/])
    t.match(line(text, 'parley_delivery_delay_seconds_bucket{transport="socket",le="+Inf"}'), [/ 4$/])
    t.match(line(text, 'parley_delivery_delay_seconds_count'), [/ 4$/])
    t.match(line(text, 'parley_delivery_delay_seconds_sum'), [/ 100\.0024$/])
    t.same(line(text, '# TYPE parley_delivery_delay_seconds'), ['# TYPE parley_delivery_delay_seconds histogram'])
  })
  t.test("each worker's own stand under a name of their own", async t => {
    t.match(line(text, 'parley_worker_delivery_delay_seconds_count'), [/worker="1".* 2$/, /worker="2".* 2$/])
  })
  t.test('what every worker reads is not added', async t => {
    t.same(line(text, 'parley_feed_entries_total'), [])
    t.match(line(text, 'parley_worker_feed_entries_total'), [/worker="1".* 8$/, /worker="2".* 8$/])
  })
  t.test('no line can be forged by a label', async t => {
    t.same(line(text, 'parley_refusals_total'), ['parley_refusals_total{code="a \\"quoted\\"\\nline"} 6'])
  })
  t.test('a metric is written once, after its help text', async t => {
    const types = line(text, '# TYPE')
    t.equal(new Set(types).size, types.length)
    t.equal(types.length, line(text, '# HELP').length)
  })
})

t.test('names follow the conventions', async t => {
  for (const [name, { type, help, together }] of Object.entries(families)) {
    t.match(name, /^parley_[a-z_]+$/, name)
    t.equal(name.endsWith('_total'), type === 'counter', `${name}: _total is for what only grows`)
    if (type === 'histogram') t.match(name, /_seconds$/, name)
    t.match(help, /\.$/, `${name} has a sentence`)
    if (type !== 'gauge') t.not(together, 'highest', `${name} would hide what others counted`)
  }
})
